// The form of a question: steppers and sliders, asking while values change, and sending only what differs.

const QUICK = 40; // milliseconds between two questions while a slider moves
const SETTLED = 1200; // after such a pause a change is a new step of the history, not a correction of the last one
let waiting = 0;
let lastAsked = -Infinity;
let lastStep = -Infinity; // the first change is always a step
let reform = false;

const form = () => document.getElementById("ask");
const isOurs = (control) => control && control.form && control.form.id === "ask" && control.name !== "_do";

function ask({ form: whole = false } = {}) {
  reform = reform || whole;
  clearTimeout(waiting);
  const wait = Math.max(0, lastAsked + QUICK - performance.now());
  waiting = setTimeout(() => {
    if (!form()?.checkValidity()) return; // half typed: the control says what it wants
    lastAsked = performance.now();
    window.htmx.trigger(form(), "ask");
  }, wait);
}

function mirror(input) {
  const slider = document.querySelector(`input[type="range"][data-for="${input.id}"]`);
  if (!slider || input.value === "") return;
  slider.dataset.most ??= slider.max;
  slider.dataset.least ??= slider.min;
  slider.max = Math.max(Number(slider.dataset.most), Number(input.value));
  slider.min = Math.min(Number(slider.dataset.least), Number(input.value));
  slider.value = input.value;
}

function step(button) {
  const input = document.getElementById(button.dataset.for);
  const by = Number(button.dataset.step);
  const low = input.min === "" ? -Infinity : Number(input.min);
  const high = input.max === "" ? Infinity : Number(input.max);
  if (input.value === "") input.value = by > 0 ? Math.max(low, 0) : "";
  else if (Number(input.value) + by < low) input.value = input.required ? low : "";
  else input.value = Math.min(high, Number(input.value) + by);
  mirror(input);
  ask();
}

document.addEventListener("input", ({ target }) => {
  if (target.type === "range" && target.dataset.for) {
    const input = document.getElementById(target.dataset.for);
    input.value = target.value;
    ask();
  } else if (isOurs(target) && target.type === "number") {
    mirror(target);
    ask();
  } else if (isOurs(target) && target.type === "text") {
    ask();
  }
});

document.addEventListener("change", ({ target }) => {
  if (!isOurs(target)) return;
  if (target.tagName === "SELECT" || target.type === "radio" || target.type === "checkbox") {
    ask({ form: "reform" in target.dataset || target.name === "preset" });
  }
});

// A button held down goes on stepping.
let held = 0;
document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("button[data-step]");
  if (!button || event.button !== 0) return;
  event.preventDefault();
  step(button);
  clearTimeout(held);
  const again = (wait) => {
    held = setTimeout(() => {
      step(button);
      again(90);
    }, wait);
  };
  again(450);
});
for (const end of ["pointerup", "pointercancel", "pointerleave", "blur"]) {
  window.addEventListener(end, () => clearTimeout(held));
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-step]");
  if (button && event.detail === 0) step(button); // by a keyboard or an assistive device
  if (event.target.closest('[name="_do"][data-reform]')) reform = true;
});

// Only what differs is sent; lists keep their count, and what a page needs to know goes in headers.
document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.elt.id !== "ask") return;
  const { parameters, headers } = event.detail;
  delete parameters["_form"];
  if (reform) headers["Battletape-Form"] = "1"; // another profile: the server sorts out whose numbers count
  else prune(parameters);
  const now = performance.now();
  headers["Battletape-History"] = now - lastStep > SETTLED ? "push" : "replace";
  lastStep = now;
  reform = false;
});

function prune(parameters) {
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

// What was open stays open, and the sentence is said aloud, when a part is swapped in.
let open = new Set();
document.addEventListener("htmx:beforeSwap", () => {
  open = new Set([...document.querySelectorAll("details[open][data-keep]")].map((one) => one.dataset.keep));
});
document.addEventListener("htmx:afterSettle", () => {
  for (const one of document.querySelectorAll("details[data-keep]")) {
    if (open.has(one.dataset.keep)) one.open = true;
  }
  mark();
  const said = document.getElementById("said");
  const answer = document.querySelector("#answer .answer");
  if (said && answer && said.textContent !== answer.dataset.said) said.textContent = answer.dataset.said;
});

function mark() {
  for (const row of document.querySelectorAll(".row.wrong")) row.classList.remove("wrong");
  const field = document.querySelector("#trouble [data-field]")?.dataset.field;
  if (field) document.querySelector(`[data-row="${CSS.escape(field)}"]`)?.classList.add("wrong");
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-open]");
  if (link) document.getElementById(link.dataset.open).open = true;
});

if (form()) mark();
