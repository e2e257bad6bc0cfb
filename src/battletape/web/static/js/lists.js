// One's own units and weapons, as this device keeps them: which fit an input, and several lists as one.

import { listOf, load, record, text } from "./store.js";

const MOST = 1_000;
const entries = listOf(({ name, kind, toml, fits }) => {
  const places = Array.isArray(fits) ? fits.filter((place) => typeof place === "string") : [];
  return text(name) && typeof toml === "string" && { kind: text(kind), name: text(name), toml, fits: places };
}, MOST);

// A list is its text; what of it fits where is the server's reading, which can be had again.
export const reader = (value) => {
  if (value === null) return { toml: "", entries: [] };
  const found = entries(record(value).entries ?? null) ?? [];
  const toml = typeof value === "string" ? value : record(value).toml;
  if (typeof toml === "string") return { toml, entries: found };
  return found.length ? { toml: found.map((one) => one.toml).join("\n"), entries: found } : undefined;
};

// The name of an input, without the numbers of entries that it may hold.
const path = (name) => name.split(".").filter((part) => !/^\d+$/.test(part)).join(".");

export function fitting(ruleset, question, name) {
  const place = `${question}:${path(name)}`;
  return load(`profiles.${ruleset}`, reader).entries.filter((one) => one.fits.includes(place));
}

// Of two entries of one kind and name the later one stays.
export function joined(lists) {
  const blocks = new Map();
  for (const block of lists.flatMap((toml) => toml.split(/^(?=\[\[)/m))) {
    const name = block.match(/^name = .*$/m)?.[0];
    if (name) blocks.set(block.split("\n")[0] + name, block.trim());
  }
  return [...blocks.values()].join("\n");
}
