// One's own units and weapons in the form of a question: they stand in its pick lists, and go along in the address.

import { fitting, joined } from "./lists.js";

const forms = () => document.querySelectorAll("#ask, #add");
const place = (form) => form.getAttribute("action").split("/").slice(1).map(decodeURIComponent);
const lists = (form) => form.querySelectorAll("select[data-reform]");

// What of one's own fits a list; in a comparison another field says which input the list is about.
function fits(select) {
  const [ruleset, question] = place(select.form);
  return fitting(ruleset, question, select.name === "_to" ? select.form.elements._vary.value : select.name);
}

function offer() {
  for (const select of [...forms()].flatMap((form) => [...lists(form)])) {
    const picked = select.value; // what was picked of one's own stays picked
    select.querySelector("optgroup[data-own]")?.remove();
    const known = new Set([...select.options].map((one) => one.value));
    const own = fits(select).filter((one) => !known.has(one.name));
    if (!own.length) continue;
    const group = document.createElement("optgroup");
    group.label = "Your own";
    group.dataset.own = "";
    for (const { name } of own) group.append(new Option(name, name));
    const first = select.options[0];
    if (first && !first.value) first.after(group);
    else select.append(group);
    if (own.some(({ name }) => name === picked)) select.value = picked;
  }
}

// What was picked of one's own goes along, with all that it needs; the server leaves out what is not used.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const form = [...forms()].find((one) => one === detail.elt);
  if (!form) return;
  const picked = new Map();
  for (const select of lists(form)) {
    if (!select.selectedOptions[0]?.closest("optgroup[data-own]")) continue;
    const entry = fits(select).find((one) => one.name === select.value);
    if (entry) picked.set(`${entry.kind} ${entry.name}`, entry.toml);
  }
  if (!picked.size) return;
  const used = (document.getElementById("own-used") ?? form.elements._own)?.value ?? "";
  detail.parameters["_own"] = joined([used, ...picked.values()]);
});

document.addEventListener("htmx:afterSettle", offer);
offer();
