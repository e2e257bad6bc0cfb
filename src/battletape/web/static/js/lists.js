// One's own units and weapons, as this device keeps them: which fit an input, and several lists as one.

import { load } from "./store.js";

// The name of an input, without the numbers of entries that it may hold.
const path = (name) => name.split(".").filter((part) => !/^\d+$/.test(part)).join(".");

export function fitting(ruleset, question, name) {
  const { entries = [] } = load(`profiles.${ruleset}`, {});
  return entries.filter((one) => one.fits?.includes(`${question}:${path(name)}`));
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
