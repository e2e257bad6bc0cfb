// Pictures that are the input: a tap on a side or a place sets the inputs that it names, as if the form had been used.

import { askSoon } from "./whatif.js";

let tap = "cover"; // what a tap on a place of a body does: cover, or aim

const form = () => document.getElementById("ask");

function controls(name) {
  return [...form().elements].filter((one) => one.name === name && one.type !== "hidden");
}

function tell(control) {
  for (const name of ["input", "change"]) control.dispatchEvent(new Event(name, { bubbles: true }));
}

function set(name, value) {
  const found = controls(name);
  const radio = found.find((one) => one.type === "radio" && one.value === value);
  if (radio?.dataset.why) return;
  if (radio) {
    radio.checked = true;
    return tell(radio);
  }
  const [control] = found.filter((one) => !["radio", "checkbox"].includes(one.type));
  if (!control) return;
  const known = control.tagName === "SELECT" ? [...control.options].map((one) => one.value) : [];
  control.value = control.tagName === "SELECT" && !known.includes(value) && value === "none" ? "" : value;
  tell(control);
}

// An alternative as the server writes it: guns.0.facing=side;guns.1.facing=side
export function setAll(alternative) {
  for (const part of alternative.split(/;(?=[a-z_][\w.]*=)/)) {
    const [, name, value] = part.match(/^([^=]*)=(.*)$/s);
    set(name, value);
  }
}

// Somebody with a place behind cover has some cover, and with none has none.
function cladding(material, usual, count) {
  const is = controls(material).some((one) => !["", "none"].includes(one.value) && (one.type !== "radio" || one.checked));
  if (!count) set(material, controls(material).some((one) => one.type === "radio" && one.value === "none") ? "none" : "");
  else if (!is) set(material, usual);
}

// The form knows which places are behind cover; the picture may still show how it was before the last tap.
function covered(places, hidden, material) {
  const boxes = controls(hidden).filter((one) => one.type === "checkbox");
  const ticked = boxes.filter((one) => one.checked).map((one) => one.value);
  if (ticked.length) return new Set(ticked);
  const drawn = places.filter((one) => one.classList.contains("covered"));
  const bare = controls(material).every((one) => ["", "none"].includes(one.value) || (one.type === "radio" && !one.checked));
  return new Set((boxes.length && bare ? [] : drawn).map((one) => one.dataset.place));
}

function cover(figure, spot) {
  const { hidden, material, usual } = figure.dataset;
  if (!hidden) return;
  const places = [...figure.querySelectorAll("[data-place]")];
  const behind = covered(places, hidden, material);
  if (!behind.delete(spot)) behind.add(spot);
  cladding(material, usual, behind.size);
  const named = behind.size === places.length ? [] : [...behind]; // nothing named is everything
  const boxes = controls(hidden).filter((one) => one.type === "checkbox");
  for (const box of boxes) {
    if (box.checked === named.includes(box.value)) continue;
    box.checked = !box.checked;
    tell(box);
  }
  if (!boxes.length) set(hidden, named.join(", "));
}

function prepare() {
  for (const figure of document.querySelectorAll("figure.picture.body")) {
    const aims = tap === "aim" && figure.querySelector("[data-tap]");
    for (const button of figure.querySelectorAll("[data-tap]")) button.setAttribute("aria-pressed", button.dataset.tap === tap);
    for (const one of figure.querySelectorAll(".aims")) one.classList.toggle("unseen", !aims);
    for (const one of figure.querySelectorAll(".hit, .hits")) one.classList.toggle("unseen", Boolean(aims));
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-tap]");
  if (button) {
    tap = button.dataset.tap;
    prepare();
    return askSoon();
  }
  if (!form()) return;
  const arc = target.closest?.("[data-set]");
  if (arc) return setAll(arc.dataset.set);
  const place = target.closest?.("figure.picture [data-place]");
  if (!place) return;
  const figure = place.closest("figure");
  const aims = place.dataset.aim && (tap === "aim" || !figure.dataset.hidden);
  if (aims) setAll(place.dataset.aim);
  else cover(figure, place.dataset.place);
});
// The chips of the places and the picture are one thing: a place that is ticked needs a cover to be behind.
document.addEventListener("change", ({ target, isTrusted }) => {
  const figure = isTrusted && document.querySelector("figure.picture.body[data-hidden]");
  if (!figure || !target.name || target.name !== figure.dataset.hidden) return;
  const { hidden, material, usual } = figure.dataset;
  cladding(material, usual, controls(hidden).filter((one) => one.checked).length);
});
document.addEventListener("htmx:afterSettle", prepare);
prepare();
