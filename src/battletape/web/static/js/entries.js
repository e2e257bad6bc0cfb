// Entries of a list: whoever adds, copies or removes one finds the focus there, and hears what was done.

let done = null;
let words = ""; // of what was done last

const entryOf = (button) => button?.closest(".entry");
const button = (root, value) => [...root.querySelectorAll('[name="_do"]')].find((one) => one.value === value);

// Before it is sent: what is to be done (add:guns, copy:guns.0 or drop:guns.1).
export function began(value, root) {
  words = "";
  const [, act, list, at] = /^(add|copy|drop):(.*?)(?:\.(\d+))?$/.exec(String(value ?? "")) ?? [];
  done = act ? { act, list, at: Number(at), name: entryOf(button(root, value))?.getAttribute("aria-label") } : null;
}

// When it is there: sets the focus, and gives the words for it.
export function landed(root) {
  if (!done) return words;
  const { act, list, at, name } = done;
  done = null;
  const add = button(root, `add:${list}`);
  const entries = [...(add?.parentElement.children ?? [])].filter((one) => one.matches(".entry"));
  const entry = act === "add" ? entries.at(-1) : act === "copy" ? entries[at + 1] : null;
  const place = entry?.querySelector("button.pick, .row select, .row input:not([type=hidden], [tabindex='-1'])") ?? add;
  if (!place) return "";
  place.focus();
  words = entry ? `${entry.getAttribute("aria-label")} is new.` : `${name ?? "One"} is removed.`;
  return words;
}
