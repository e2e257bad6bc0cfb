// One's own units and weapons in the lists of a heat map; what is ticked of them goes along in the address.

import { load } from "./store.js";

const form = () => document.getElementById("lineup");
const path = (name) => name.split(".").filter((part) => !/^\d+$/.test(part)).join(".");

function offer() {
  if (!form()) return;
  const { ruleset, question } = form().dataset;
  const { entries = [] } = load(`profiles.${ruleset}`, {});
  for (const list of form().querySelectorAll("[data-axis]")) {
    const known = new Set([...list.querySelectorAll("input")].map((one) => one.value));
    const own = entries.filter((one) => one.fits?.includes(`${question}:${path(list.dataset.axis)}`) && !known.has(one.name));
    for (const entry of own.reverse()) {
      const label = document.createElement("label");
      label.className = "check";
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

document.addEventListener("submit", (event) => {
  if (event.target !== form()) return;
  const blocks = new Map();
  const hidden = form().querySelector('input[name="_own"]');
  const ticked = [...form().querySelectorAll("input[data-toml]:checked")].map((one) => one.dataset.toml);
  for (const block of [hidden?.value ?? "", ...ticked].flatMap((toml) => toml.split(/^(?=\[\[)/m))) {
    const name = block.match(/^name = .*$/m)?.[0];
    if (name) blocks.set(block.split("\n")[0] + name, block.trim());
  }
  if (!blocks.size) return;
  const field = hidden ?? document.createElement("input");
  Object.assign(field, { type: "hidden", name: "_own", value: [...blocks.values()].join("\n") });
  if (!hidden) form().append(field);
});

offer();
