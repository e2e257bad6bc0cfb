// What is kept on this device: small JSON values under names of ours. A device that keeps nothing is fine too.

const PREFIX = "battletape.1.";

export function load(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
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
