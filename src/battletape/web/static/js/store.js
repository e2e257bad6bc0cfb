// What is kept on this device: small JSON values under names of ours. A device that keeps nothing is fine too.
//
// What was kept may have any shape: another version wrote it, somebody edited it, or a disk failed. Each name has a
// reader that makes of it what the page expects; what none can read is set aside under another name, not lost.

const PREFIX = "battletape.1.";
const ASIDE = "battletape.aside.";

export function load(name, reader) {
  let text = null;
  try {
    text = localStorage.getItem(PREFIX + name);
    const found = text === null ? undefined : reader(JSON.parse(text));
    if (found !== undefined) return found;
  } catch {
    // no JSON, or no storage at all
  }
  if (text !== null) setAside(name, text);
  return reader(null);
}

export function save(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function forget(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // nothing was kept
  }
}

function setAside(name, text) {
  try {
    localStorage.setItem(ASIDE + name, text);
    localStorage.removeItem(PREFIX + name);
  } catch {
    // it stays where it is
  }
}

// Readers: null is nothing, and undefined says that nothing can be made of a value.

export const text = (value) => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");
export const record = (value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : {});
export const local = (value) => (typeof value === "string" && /^\/[^/\\]/.test(value) ? value : "");
export const moment = (value) => (value >= 0 && value < 1e15 ? Number(value) : 0);

// A list of what `entry` reads; entries of which it makes nothing are left out.
export const listOf = (entry, most) => (value) => {
  if (value === null) return [];
  return Array.isArray(value) ? value.map((one) => entry(record(one))).filter(Boolean).slice(0, most) : undefined;
};
