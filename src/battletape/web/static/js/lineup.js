// One's own units and weapons in the lists of a heat map; what is ticked of them goes along in the address.

import { fitting, joined } from "./lists.js";

const form = () => document.getElementById("lineup");

function offer() {
  if (!form()) return;
  const { ruleset, question } = form().dataset;
  for (const list of form().querySelectorAll("[data-axis]")) {
    const known = new Set([...list.querySelectorAll("input")].map((one) => one.value));
    const own = fitting(ruleset, question, list.dataset.axis).filter((one) => !known.has(one.name));
    for (const entry of own.reverse()) {
      const label = document.createElement("label");
      label.className = "chip";
      const box = document.createElement("input");
      Object.assign(box, { type: "checkbox", name: list.dataset.field, value: entry.name });
      box.dataset.toml = entry.toml;
      const note = document.createElement("small");
      note.className = "soft";
      note.textContent = "yours";
      label.append(box, ` ${entry.name} `, note);
      list.querySelector("legend").after(label);
    }
  }
}

// Before htmx gathers the values: whatever of one's own is ticked goes along.
document.addEventListener(
  "submit",
  (event) => {
    if (event.target !== form()) return;
    const hidden = form().querySelector('input[name="_own"]');
    const ticked = [...form().querySelectorAll("input[data-toml]:checked")].map((one) => one.dataset.toml);
    const value = joined([hidden?.value ?? "", ...ticked]);
    if (!value) return;
    const field = hidden ?? document.createElement("input");
    Object.assign(field, { type: "hidden", name: "_own", value });
    if (!hidden) form().append(field);
  },
  true,
);

// A chip that is tapped changes the map, as soon as the thumb rests.
let waits;
document.addEventListener("change", ({ target }) => {
  if (!form() || target.form !== form()) return;
  clearTimeout(waits);
  waits = setTimeout(() => form()?.requestSubmit(), target.matches("select") ? 0 : 500);
});

document.addEventListener("htmx:afterSettle", offer);
offer();
