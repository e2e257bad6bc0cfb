// One's own units and weapons in the form of a question: they stand in its pick lists, and go along in the address.

import { load } from "./store.js";

const form = () => document.getElementById("ask");
const place = () => form().getAttribute("action").split("/").slice(1).map(decodeURIComponent);
const path = (select) => select.name.split(".").filter((part) => !/^\d+$/.test(part)).join(".");

function fitting(select) {
  const [ruleset, question] = place();
  const { entries = [] } = load(`profiles.${ruleset}`, {});
  return entries.filter((one) => one.fits?.includes(`${question}:${path(select)}`));
}

function offer() {
  if (!form()) return;
  for (const select of form().querySelectorAll("select[data-reform]")) {
    select.querySelector("optgroup[data-own]")?.remove();
    const known = new Set([...select.options].map((one) => one.value));
    const own = fitting(select).filter((one) => !known.has(one.name));
    if (!own.length) continue;
    const group = document.createElement("optgroup");
    group.label = "Your own";
    group.dataset.own = "";
    for (const { name } of own) group.append(new Option(name, name));
    select.options[0].after(group);
  }
}

// What was picked of one's own goes along, with all that it needs; the server leaves out what is not used.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (!form() || detail.elt !== form()) return;
  const picked = new Map();
  for (const select of form().querySelectorAll("select[data-reform]")) {
    if (!select.selectedOptions[0]?.closest("optgroup[data-own]")) continue;
    const entry = fitting(select).find((one) => one.name === select.value);
    if (entry) picked.set(`${entry.kind} ${entry.name}`, entry.toml);
  }
  if (!picked.size) return;
  const used = document.getElementById("own-used")?.value ?? "";
  const blocks = new Map();
  for (const block of [used, ...picked.values()].flatMap((toml) => toml.split(/^(?=\[\[)/m))) {
    const [head] = block.split("\n");
    const name = block.match(/^name = .*$/m)?.[0];
    if (name) blocks.set(head + name, block.trim());
  }
  detail.parameters["_own"] = [...blocks.values()].join("\n");
});

document.addEventListener("htmx:afterSettle", offer);
offer();
