// Moving what stands on the board by finger, mouse or arrow keys: it moves at once, the form and the answer follow.

import { ask, enter } from "./form.js";

const STEP = 0.1; // inches that places are rounded to, and that an arrow key moves
const FAR = 1; // with Shift
const SLOP = 14; // pixels that a finger may miss by
const KEYS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const plate = () => document.getElementById("board");
const drawing = () => plate()?.querySelector("svg.board");
const movable = (svg = drawing()) => [...(svg?.querySelectorAll("[data-input-x]") ?? [])];
const found = (key) => movable().find((one) => one.dataset.inputX === key);
const rounded = (inches) => Math.round(inches / STEP) / Math.round(1 / STEP);

let held = null; // what a pointer has in hand: its key, where it is now, and how far off its middle it was taken
let focused = null; // the key of what the arrow keys move
let moved = false; // something moved since the last question was sent
let waiting = false; // for an answer
let drawn = false; // the answer that is being put in place has brought a drawing, and it is ready

// --- where things are ------------------------------------------------------------------------------------------------

function inches(svg, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const { west, north, inch } = svg.dataset;
  return { x: Number(west) + point.x / inch, y: Number(north) - point.y / inch };
}

// The smallest thing under the pointer, or the nearest one that a finger may have meant.
function under(svg, event) {
  const at = inches(svg, event);
  const pixel = 1 / (svg.getScreenCTM().a * svg.dataset.inch);
  const slop = event.pointerType === "mouse" ? 2 * pixel : SLOP * pixel;
  const near = movable()
    .map((one) => ({ one, radius: Number(one.dataset.radius), gap: Math.hypot(now(one).x - at.x, now(one).y - at.y) }))
    .map((thing) => ({ ...thing, off: Math.max(0, thing.gap - thing.radius) }))
    .filter(({ off }) => off <= slop);
  near.sort((a, b) => a.off - b.off || a.radius - b.radius);
  return near.length ? { one: near[0].one, at } : null;
}

// Where something is by now: the form knows it, and the drawing may still show where it was.
function now(one) {
  const values = [one.dataset.inputX, one.dataset.inputY].map((name) => document.getElementById("ask")?.elements[name]?.value);
  const [x, y] = [one.dataset.x, one.dataset.y].map((drawn, at) => (Number.isFinite(parseFloat(values[at])) ? parseFloat(values[at]) : Number(drawn)));
  return { x, y };
}

// --- moving ----------------------------------------------------------------------------------------------------------

function shift(svg, one, x, y) {
  const { inch } = svg.dataset;
  const by = `translate(${(x - one.dataset.x) * inch} ${(one.dataset.y - y) * inch})`;
  const along = svg.querySelectorAll(`[data-follows="${CSS.escape(one.dataset.inputX)}"]`);
  for (const part of [one, ...along]) part.setAttribute("transform", by);
}

function place(key, x, y) {
  const one = found(key);
  if (!one) return;
  enter(one.dataset.inputX, x);
  enter(one.dataset.inputY, y);
  shift(drawing(), one, x, y);
  moved = true;
  send();
}

// One question after the other: what is moved on meanwhile is asked when the answer is there.
function send() {
  if (!moved || waiting) return;
  moved = false;
  ask();
}
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.requestConfig.elt.id === "ask") waiting = true;
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.requestConfig?.elt.id !== "ask") return;
  waiting = false;
  send();
});

// --- by finger and mouse ---------------------------------------------------------------------------------------------

document.addEventListener("pointerdown", (event) => {
  const svg = event.target.closest?.("svg.board");
  if (!svg || svg !== drawing() || event.button !== 0) return;
  const hit = under(svg, event);
  if (!hit) return;
  const { one, at } = hit;
  const { x, y } = now(one);
  held = { key: one.dataset.inputX, x, y, dx: x - at.x, dy: y - at.y, pointer: event.pointerId, touched: event.target };
  svg.setPointerCapture(event.pointerId);
  svg.classList.add("moving");
  one.focus({ preventScroll: true });
  event.preventDefault();
});

document.addEventListener("pointermove", (event) => {
  const svg = drawing();
  if (!held || !svg || event.pointerId !== held.pointer) return;
  const at = inches(svg, event);
  const [x, y] = [rounded(at.x + held.dx), rounded(at.y + held.dy)];
  if (x === held.x && y === held.y) return;
  Object.assign(held, { x, y, moved: true });
  place(held.key, x, y);
});

for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    const { moved: didMove } = held;
    held = null;
    drawing()?.classList.remove("moving");
    if (!didMove) return;
    moved = true; // once more, so that the picture finds its frame again
    send();
  });
}
// A finger that has something in hand does not scroll the page.
const hold = (event) => held && event.cancelable && event.preventDefault();

// --- by keyboard -----------------------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  const one = event.target.closest?.("[data-input-x]");
  const way = KEYS[event.key];
  if (!one || !way || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const by = event.shiftKey ? FAR : STEP;
  const { x, y } = now(one);
  place(one.dataset.inputX, rounded(x + way[0] * by), rounded(y + way[1] * by));
});

// --- the answer comes: the picture is drawn anew, but what is in hand stays in hand ------------------------------------

document.addEventListener("htmx:oobBeforeSwap", (event) => {
  if (event.detail.target?.id !== "board") return;
  const active = document.activeElement;
  if (active && active !== document.body) focused = active.dataset.inputX ?? null;
  if (!held) return;
  event.detail.shouldSwap = false;
  const fresh = event.detail.fragment.querySelector("svg.board");
  if (fresh) graft(drawing(), fresh);
});

// The new drawing in the frame of the old one: a base must not jump while it is dragged.
function graft(old, fresh) {
  const { inch } = old.dataset;
  const x = (fresh.dataset.west - old.dataset.west) * inch;
  const y = (old.dataset.north - fresh.dataset.north) * inch;
  const sheet = old.querySelector(".sheet");
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  group.setAttribute("transform", `translate(${x} ${y})`);
  ready(fresh); // before anybody sees it, so that it is drawn once
  group.append(...fresh.querySelector(".sheet").childNodes);
  const ground = x || y ? [...sheet.querySelectorAll(":scope > .back, :scope > .grid")] : [];
  const touched = document.createElementNS("http://www.w3.org/2000/svg", "g"); // a finger's moves are told to what it
  touched.setAttribute("display", "none"); // touched first, so that has to stay, though nobody sees it
  if (sheet.contains(held.touched)) touched.append(held.touched);
  sheet.replaceChildren(...ground, group, touched);
  drawn = true; // the focus comes back when it is let go: to move it with every step would cost a layout
}

document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  if (detail.target?.id !== "board" || drawn) return;
  prepare();
  drawn = true;
});

// Where there is no answer, the drawing stays; what a formation has moved goes to its place all the same.
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.requestConfig?.elt.id !== "ask") return;
  if (!drawn) prepare();
  drawn = false;
});

// With scripts, what can be moved can be reached by Tab, and says so.
function prepare() {
  const svg = drawing();
  if (!movable(svg).length) return;
  svg.setAttribute("role", "group");
  svg.addEventListener("touchmove", hold, { passive: false });
  ready(svg);
  refocus();
}

function ready(svg) {
  for (const one of movable(svg)) {
    one.setAttribute("tabindex", "0");
    one.setAttribute("role", "button");
    one.setAttribute("aria-label", one.querySelector("title")?.textContent ?? "");
    one.setAttribute("aria-describedby", "board-hint");
    const { x, y } = now(one);
    if (x !== Number(one.dataset.x) || y !== Number(one.dataset.y)) shift(svg, one, x, y);
    else one.removeAttribute("transform");
  }
}

function refocus() {
  if (focused) found(focused)?.focus({ preventScroll: true });
  focused = null;
}

prepare();
