// Picking a profile from a sheet: every one with its stat line, found by any part of its name. The list of the form stays
// what is sent; the sheet only chooses in it. By keyboard: type to search, arrows to move, Enter to take, Escape to leave.

const plain = (text) => text.toLowerCase().normalize("NFD").replace(/[^\p{L}\d ]/gu, "");
let dialog = null;
let select = null;

function build() {
  dialog = document.createElement("dialog");
  dialog.className = "card sheet picker";
  dialog.innerHTML = '<div class="grip" aria-hidden="true"></div><h2></h2><input type="search" placeholder="Search" aria-label="Search" autocomplete="off" spellcheck="false"><ul></ul><button type="button" class="btn">Cancel</button>';
  dialog.setAttribute("aria-labelledby", "picker-h");
  dialog.querySelector("h2").id = "picker-h";
  dialog.querySelector(".btn").addEventListener("click", () => dialog.close());
  dialog.querySelector("input").addEventListener("input", () => list());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) return dialog.close(); // beside the sheet
    const button = event.target.closest("li > button");
    if (button) take(button.value);
  });
  dialog.addEventListener("keydown", keys);
  dialog.addEventListener("close", () => document.getElementById(`${select.id}-pick`)?.focus());
  document.body.append(dialog);
}

// Words in any order; names that begin so come first.
function found(words) {
  const wanted = plain(words).split(" ").filter(Boolean);
  const all = [...select.options].filter((one) => one.value || !("again" in select.dataset)); // the first is no name there
  const fit = all.filter((one) => wanted.every((word) => plain(`${one.text} ${one.dataset.about ?? ""}`).includes(word)));
  const first = (one) => (wanted.length && plain(one.text).startsWith(wanted[0]) ? 0 : 1);
  return wanted.length ? fit.sort((one, other) => first(one) - first(other)) : fit;
}

// The question as it stands beside the same with another profile.
function comparison(option) {
  const here = document.querySelector("#answer .answer")?.dataset.address;
  if (select.form.id !== "ask" || !select.name || option.value === OTHER || !here || option.closest("optgroup[data-own]")) return null;
  const [path, query = ""] = here.split("?");
  const asked = new URLSearchParams(query);
  asked.append("_vary", select.name);
  asked.append("_to", option.value);
  const link = Object.assign(document.createElement("a"), { href: `${path}/compare?${asked}`, textContent: "Compare", className: "versuslink" });
  link.setAttribute("aria-label", `Compare with ${option.text}`);
  return link;
}

function list() {
  const place = dialog.querySelector("ul");
  const rows = found(dialog.querySelector("input").value).map((option) => {
    const row = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.value = option.value;
    const name = document.createElement("b");
    name.textContent = option.value ? option.text : option.text[0].toUpperCase() + option.text.slice(1);
    button.append(name);
    const about = option.dataset.about ?? (option.closest("optgroup[data-own]") ? "yours" : "");
    if (about) button.append(Object.assign(document.createElement("small"), { textContent: about }));
    if (option.selected) button.setAttribute("aria-current", "true");
    row.append(button);
    const other = option.value && !option.selected && comparison(option);
    if (other) row.append(other);
    return row;
  });
  place.replaceChildren(...rows);
  if (!rows.length) place.append(Object.assign(document.createElement("li"), { className: "nothing", textContent: "Nothing of that name." }));
}

function keys(event) {
  const buttons = [...dialog.querySelectorAll("li > button")];
  const at = buttons.indexOf(document.activeElement);
  const search = dialog.querySelector("input");
  if (event.key === "ArrowDown") (buttons[at + 1] ?? buttons[0])?.focus();
  else if (event.key === "ArrowUp") (at > 0 ? buttons[at - 1] : search).focus();
  else if (event.key === "Enter" && document.activeElement === search && buttons.length) take(buttons[0].value);
  else return;
  event.preventDefault();
}

function take(value) {
  const changed = select.value !== value;
  select.value = value;
  dialog.close();
  if (changed) select.dispatchEvent(new Event("change", { bubbles: true }));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-sheet]");
  if (!button) return;
  select = document.getElementById(button.dataset.sheet);
  if (!dialog) build();
  const search = dialog.querySelector("input");
  dialog.querySelector("h2").textContent = select.getAttribute("aria-label");
  search.value = "";
  list();
  dialog.showModal();
  const now = dialog.querySelector("[aria-current]");
  now?.scrollIntoView({ block: "center" });
  // a keyboard that slides up would hide the list from a thumb: there the list has the focus
  if (matchMedia("(pointer: coarse)").matches) (now ?? dialog.querySelector("li > button"))?.focus();
  else search.focus();
});

// A list of known names, of which one is taken over into a text; and one that also takes what it does not know.
document.addEventListener("change", ({ target }) => {
  if (!target.matches?.("[data-add]") || !target.value) return;
  const text = document.getElementById(target.dataset.add);
  const names = text.value.split(",").map((name) => name.trim()).filter(Boolean);
  if ("again" in target.dataset || !names.includes(target.value)) names.push(target.value);
  text.value = names.join(", ");
  target.value = "";
  text.dispatchEvent(new Event("input", { bubbles: true }));
});

// Names that were taken from a sheet stand as chips, each with a way to drop it; the text behind them is what is sent.
function showTaken(box) {
  const text = document.getElementById(box.dataset.names);
  const names = text.value.split(",").map((name) => name.trim()).filter(Boolean);
  const chips = names.map((name, at) => {
    const chip = Object.assign(document.createElement("button"), { type: "button", className: "chip on", textContent: `${name} ×` });
    chip.setAttribute("aria-label", `Drop ${name}`);
    chip.addEventListener("click", () => {
      text.value = names.filter((_, other) => other !== at).join(", ");
      text.dispatchEvent(new Event("input", { bubbles: true }));
      (box.querySelectorAll(".taken .chip")[at] ?? box.querySelector("[data-sheet]")).focus();
    });
    return chip;
  });
  box.querySelector(".taken").replaceChildren(...chips);
}
document.addEventListener("input", ({ target }) => {
  const box = target.closest?.("[data-names]");
  if (box) showTaken(box);
});

const OTHER = "\u0000other";
function offerOther() {
  for (const known of document.querySelectorAll("select[data-other]")) {
    if (![...known.options].some((one) => one.value === OTHER)) known.append(new Option("Other…", OTHER));
  }
}
document.addEventListener("change", (event) => {
  const known = event.target;
  if (!known.matches?.("select[data-other]") || known.value !== OTHER) return;
  event.stopImmediatePropagation();
  const text = document.createElement("input");
  Object.assign(text, { type: "text", id: known.id, name: known.name, maxLength: 200, autocomplete: "off", spellcheck: false });
  known.closest(".pickrow")?.querySelector(".pick").remove();
  known.replaceWith(text);
  text.focus();
}, true);

// Where the sheet picks, nobody needs to hear of the list behind it as well.
function hide() {
  for (const list of document.querySelectorAll("select.sheeted")) list.setAttribute("aria-hidden", "true");
}

function prepare() {
  offerOther();
  hide();
  document.querySelectorAll("[data-names]").forEach(showTaken);
}
document.addEventListener("htmx:afterSettle", prepare);
prepare();
