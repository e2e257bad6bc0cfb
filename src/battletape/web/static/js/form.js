// The form of a question: steppers and sliders, asking while values change, and sending only what differs.

import { began, landed } from "./entries.js";
import { askAgainWith, changed } from "./late.js";

const QUICK = 40; // milliseconds between two questions while a slider moves
const HALF_TYPED = 500; // somebody who empties a field may be about to fill it again
const SETTLED = 1200; // after such a pause a change is a new step of the history, not a correction of the last one
let waiting = 0;
let lastAsked = -Infinity;
let lastStep = -Infinity; // the first change is always a step
let reform = false;
let last = { whole: false, button: null }; // how it was asked last, to ask so again

const form = () => document.getElementById("ask");
const isOurs = (control) => control && control.form && control.form.id === "ask" && !/^_(do$|form\.)/.test(control.name);

// What somebody touched is said, even where it is what it would be anyway: another input may fill in something else.
function say(control) {
  for (const one of form().elements) {
    if (one.name === control.name) for (const known of ["base", "all"]) delete one.dataset[known];
    if (one.name === control.name && "chip" in one.dataset) one.dataset.chip = "";
  }
}

function ask({ form: whole = false } = {}) {
  changed();
  showStats();
  reform = reform || whole;
  clearTimeout(waiting);
  const wait = form().checkValidity() ? Math.max(0, lastAsked + QUICK - performance.now()) : HALF_TYPED;
  waiting = setTimeout(send, wait);
}

function send() {
  if (!form()) return;
  lastAsked = performance.now();
  window.htmx.trigger(form(), "ask");
}

// A value that something else than the form sets: a base that is moved on the board.
export function enter(name, value) {
  const input = form()?.elements[name];
  if (!input) return;
  const low = input.min === "" ? -Infinity : Number(input.min);
  const high = input.max === "" ? Infinity : Number(input.max);
  input.value = Math.min(high, Math.max(low, value));
  mirror(input);
  say(input);
}

export { ask };

askAgainWith("answer", () => {
  clearTimeout(waiting);
  reform = reform || last.whole;
  if (last.button?.isConnected) form().requestSubmit(last.button);
  else send();
});

function mirror(input) {
  const slider = document.querySelector(`input[type="range"][data-for="${input.id}"]`);
  if (!slider || !input.validity.valid || input.value === "") return;
  slider.dataset.most ??= slider.max;
  slider.dataset.least ??= slider.min;
  slider.max = Math.max(Number(slider.dataset.most), Number(input.value));
  slider.min = Math.min(Number(slider.dataset.least), Number(input.value));
  slider.value = input.value;
}

function step(button) {
  const by = Number(button.dataset.step);
  if (button.dataset.of) {
    const control = form().elements[button.dataset.of];
    if (control.type !== "number") return turn(control, by);
    stepBy(control, by);
  } else stepBy(document.getElementById(button.dataset.for), by);
}

function stepBy(input, by) {
  const low = input.min === "" ? -Infinity : Number(input.min);
  const high = input.max === "" ? Infinity : Number(input.max);
  if (input.value === "") input.value = by > 0 ? Math.max(low, 0) : "";
  else if (Number(input.value) + by < low) input.value = input.required ? low : "";
  else input.value = Math.min(high, Number(input.value) + by);
  mirror(input);
  say(input);
  ask();
}

// One of a few: the next or the one before, as they stand side by side.
function turn(control, by) {
  const all = control.options ? [...control.options] : [...control];
  const at = all.findIndex((one) => (control.options ? one.selected : one.checked));
  const next = all[at + by];
  if (!next) return;
  if (control.options) control.value = next.value;
  else next.checked = true;
  say(control.options ? control : next);
  ask();
}

// A number of a stat line: a tap opens its stepper below the line, or leads to the input where it is typed or picked.
let stat = ""; // the input whose stepper is open
function told(button) {
  const control = form().elements[button.dataset.stat];
  if (!control) return "";
  if (control.type === "number") return control.value === "" ? button.dataset.empty : control.value + button.dataset.unit;
  const chosen = control.options ? control.selectedOptions[0] : [...control].find((one) => one.checked);
  return ["", "none"].includes(chosen?.value ?? "") ? button.dataset.empty : (control.options ? chosen.text : chosen.parentElement.textContent).trim();
}

function showStats() {
  for (const button of form()?.querySelectorAll("[data-stat][data-steps]") ?? []) {
    const text = told(button);
    const box = button.closest("div");
    if (text) button.lastChild.textContent = text;
    button.setAttribute("aria-label", `${button.dataset.title}: ${button.lastChild.textContent}`);
    box.classList.toggle("changed", button.lastChild.textContent !== button.dataset.usual);
    const open = button.dataset.stat === stat;
    button.setAttribute("aria-expanded", String(open));
    const row = box.closest(".stats").nextElementSibling?.matches(".statstep") ? box.closest(".stats").nextElementSibling : null;
    if (open) (row ?? statRow(box.closest(".stats"))).querySelector("output").textContent = text;
  }
  for (const row of document.querySelectorAll(".statstep")) if (row.dataset.of !== stat) row.remove();
}

function statRow(line) {
  const { title } = line.querySelector(`[data-stat="${CSS.escape(stat)}"]`).dataset;
  const row = document.createElement("div");
  row.className = "statstep";
  row.dataset.of = stat;
  row.innerHTML = '<span class="name"></span><span class="step"><button type="button" data-step="-1">−</button><output></output><button type="button" data-step="1">+</button></span>';
  row.querySelector(".name").textContent = title;
  for (const button of row.querySelectorAll("button")) {
    button.dataset.of = stat;
    button.id = `stat-${button.dataset.step > 0 ? "more" : "less"}`;
    button.setAttribute("aria-label", `${button.dataset.step > 0 ? "more" : "less"}: ${title}`);
  }
  line.after(row);
  return row;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-stat]");
  if (!button) return;
  if ("steps" in button.dataset) {
    stat = stat === button.dataset.stat ? "" : button.dataset.stat;
    for (const row of document.querySelectorAll(".statstep")) row.remove();
    return showStats();
  }
  const row = document.querySelector(`.drawer [data-row="${CSS.escape(button.dataset.stat)}"]`);
  for (let at = row?.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
  row?.querySelector("input, select, button")?.focus();
});

document.addEventListener("input", ({ target }) => {
  if (target.type === "range" && target.dataset.for) {
    if (!touched || touched.sure) slide(target);
  } else if (isOurs(target) && target.type === "number") {
    mirror(target);
    say(target);
    ask();
  } else if (isOurs(target) && target.type === "text") {
    say(target);
    ask();
  }
});

document.addEventListener("change", ({ target }) => {
  if (!isOurs(target)) return;
  if (target.tagName === "SELECT" || target.type === "radio" || target.type === "checkbox") {
    say(target);
    ask({ form: "reform" in target.dataset || target.name === "preset" });
  }
});

function slide(slider) {
  const input = document.getElementById(slider.dataset.for);
  input.value = slider.value;
  say(input);
  ask();
}

// A thumb that scrolls the page begins on whatever lies under it: a slider follows it only when it moves sideways
// or is tapped, a button only when it is let go where it was pressed.
const STILL = 8; // pixels
let touched = null; // a finger on a slider: where it began, and whether it means the slider
let pressed = 0; // the timer of a button held down, which goes on stepping
let stepped = false; // whether it has: then letting it go is no further step
let from = { x: 0, y: 0 };

document.addEventListener("pointerdown", (event) => {
  from = { x: event.clientX, y: event.clientY };
  stepped = false;
  clearTimeout(pressed);
  const slider = event.target.closest('input[type="range"][data-for]');
  touched = slider && event.pointerType === "touch" ? { slider, before: slider.value, sure: false } : null;
  const button = event.target.closest("button[data-step]");
  if (!button || event.button !== 0) return;
  const again = (wait) => {
    pressed = setTimeout(() => {
      stepped = true;
      step(button);
      again(90);
    }, wait);
  };
  again(450);
});
document.addEventListener("pointermove", (event) => {
  const [x, y] = [Math.abs(event.clientX - from.x), Math.abs(event.clientY - from.y)];
  if (Math.max(x, y) > STILL) clearTimeout(pressed);
  if (touched && !touched.sure && x > STILL && x > y) sure();
});
document.addEventListener("pointerup", () => touched && !touched.sure && sure());
document.addEventListener("pointercancel", () => {
  if (touched && !touched.sure) touched.slider.value = touched.before;
});
for (const end of ["pointerup", "pointercancel", "pointerleave", "blur"]) {
  window.addEventListener(end, () => clearTimeout(pressed));
}

function sure() {
  touched.sure = true;
  if (touched.slider.value !== touched.before) slide(touched.slider);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-step]");
  if (button && !stepped) step(button);
  stepped = false;
  if (event.target.closest('[name="_do"][data-reform]')) reform = true;
});

// Only what differs is sent; lists keep their count, and what a page needs to know goes in headers.
document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.elt.id !== "ask") return;
  const { parameters, headers } = event.detail;
  delete parameters["_form"];
  began(event.detail.parameters["_do"], form());
  const { submitter } = event.detail.triggeringEvent ?? {};
  last = { whole: reform, button: submitter?.name === "_do" ? submitter : null };
  if (reform) headers["Battletape-Form"] = "1"; // another profile: the server sorts out whose numbers count
  else prune(parameters);
  for (const one of form().querySelectorAll("input[type=number]")) {
    if (one.validity.badInput) parameters[one.name] = "no number"; // the browser does not tell what was typed
  }
  const now = performance.now();
  headers["Battletape-History"] = now - lastStep > SETTLED ? "push" : "replace";
  lastStep = now;
  reform = false;
});

function prune(parameters) {
  for (const chip of form().querySelectorAll("[data-chip]")) {
    const value = chip.checked ? "yes" : "no";
    if (value === chip.dataset.chip) delete parameters[chip.name];
    else parameters[chip.name] = value;
  }
  for (const control of form().querySelectorAll("[data-base]")) {
    if (control.type === "radio" && !control.checked) continue;
    if (control.value === control.dataset.base) delete parameters[control.name];
  }
  for (const hidden of form().querySelectorAll('.toggles input[type="hidden"]')) {
    const boxes = [...hidden.parentElement.querySelectorAll('input[type="checkbox"]')];
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
    if (boxes.length && chosen.join(", ") === boxes[0].dataset.all) delete parameters[hidden.name];
  }
  for (const name of Object.keys(parameters)) if (name.startsWith("_was.")) delete parameters[name];
}

// What was open stays open, what somebody has in hand stays where it is, and the sentence is said aloud, when a part is
// swapped in.
let open = new Set();
let held = null; // the control that has the focus: where it stands, and how far the page and the form are scrolled
document.addEventListener("htmx:beforeSwap", () => {
  open = new Set([...document.querySelectorAll("details[open][data-keep]")].map((one) => one.dataset.keep));
  const { activeElement: control } = document;
  held = control?.id && control.form === form() ? { id: control.id, top: control.getBoundingClientRect().top } : null;
  if (held) Object.assign(held, { page: window.scrollY, form: form().scrollTop });
});

function stay() {
  const control = held && document.getElementById(held.id);
  if (!control) return;
  if (control.closest(".statstep")) control.focus({ preventScroll: true }); // it was made anew
  form().scrollTop = held.form;
  window.scrollTo({ top: held.page, behavior: "instant" });
  window.scrollBy({ top: control.getBoundingClientRect().top - held.top, behavior: "instant" });
}
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  for (const one of document.querySelectorAll("details[data-keep]")) {
    if (open.has(one.dataset.keep)) one.open = true;
  }
  prepare();
  showStats();
  watch();
  stay();
  const said = document.getElementById("said");
  const answer = document.querySelector("#answer .answer");
  if (!said || !form()) return;
  const done = landed(form());
  const words = troubled() ? "" : (answer?.dataset.said ?? ""); // the trouble is an alert and speaks for itself
  const brought = detail.requestConfig?.headers["Battletape-Form"] ? [...form().querySelectorAll(".brought")] : [];
  const all = [done, ...brought.map((one) => one.textContent), words].filter(Boolean).join(" ");
  if (said.textContent !== all) said.textContent = all;
});

const troubled = () => document.querySelector("#trouble .trouble");

// The server says what does not fit; here it is shown at its row, and the answer from before cannot be used.
function prepare() {
  if (!form()) return;
  form().noValidate = true;
  for (const row of document.querySelectorAll("[data-row].wrong")) {
    row.classList.remove("wrong");
    row.querySelector(".misfit")?.remove();
    for (const one of row.querySelectorAll("[aria-invalid]")) {
      one.removeAttribute("aria-invalid");
      one.removeAttribute("aria-describedby");
    }
  }
  const trouble = troubled();
  for (const part of document.querySelectorAll("#answer > section")) part.inert = Boolean(trouble);
  const field = trouble?.dataset.field;
  const row = field && document.querySelector(`[data-row="${CSS.escape(field)}"]`);
  if (!row) return;
  row.classList.add("wrong");
  const words = document.createElement("small");
  words.className = "misfit says";
  words.id = "misfit";
  const says = trouble.querySelector(".says").cloneNode(true);
  says.querySelector(".clause")?.remove(); // the rule stands with the sentence above
  const [said, known] = says.textContent.trim().split(" Known: ");
  words.textContent = known && row.querySelector(".pick") ? said : [said, known].filter(Boolean).join(" Known: "); // its sheet shows them all
  row.append(words);
  for (const one of row.querySelectorAll("[name]:not([type=hidden])")) {
    one.setAttribute("aria-invalid", "true");
    one.setAttribute("aria-describedby", "misfit");
  }
  for (let at = row.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
}

// Where the number is out of sight, the bar has it: on a phone always, on a desk while somebody is down in the form.
const watcher = new IntersectionObserver((seen) => document.body?.classList.toggle("headless", !seen.at(-1).isIntersecting));
function watch() {
  watcher.disconnect();
  const headline = form() && document.querySelector("#answer .headline");
  if (headline) watcher.observe(headline);
  else document.body.classList.remove("headless");
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-open]");
  if (link) document.getElementById(link.dataset.open).open = true;
});

// On a desk the shorter column waits beside the longer one; a drawer that makes it the longer one opens where it was pressed.
document.addEventListener("click", (event) => {
  const summary = event.target.closest("summary");
  if (!summary || summary.parentElement.open) return;
  const before = summary.getBoundingClientRect().top;
  requestAnimationFrame(() => scrollBy({ top: summary.getBoundingClientRect().top - before, behavior: "instant" }));
});

prepare();
watch();
