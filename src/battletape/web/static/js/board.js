// Moving what stands on the board by finger, mouse or arrow keys: it moves at once, the form and the answer follow.

import { ask, enter } from "./form.js";
import { setAll } from "./pictures.js";

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
let zoomed = null; // the button that was pressed for more or less of the board
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
  if (!svg || svg !== drawing() || event.button !== 0 || event.target.closest("[data-set]")) return;
  const hit = under(svg, event);
  if (!hit) return void (plate().querySelector(".framed") && grab(svg, event));
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
  if (grabbed?.pointer === event.pointerId && svg) return slideTo(svg, event);
  if (!held || !svg || event.pointerId !== held.pointer) return;
  const at = inches(svg, event);
  const [x, y] = [rounded(at.x + held.dx), rounded(at.y + held.dy)];
  if (x === held.x && y === held.y) return;
  Object.assign(held, { x, y, moved: true });
  place(held.key, x, y);
});

for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, (event) => {
    if (grabbed?.pointer === event.pointerId) {
      grabbed = null;
      if (slid) askFramed();
    }
    if (!held || event.pointerId !== held.pointer) return;
    const { moved: didMove, key } = held;
    held = null;
    drawing()?.classList.remove("moving");
    if (!didMove) return void (end === "pointerup" && aim(found(key)));
    moved = true; // once more, so that the picture finds its frame again
    send();
  });
}
// A finger that has something in hand does not scroll the page.
const hold = (event) => held && event.cancelable && event.preventDefault();

// --- nearer and farther: the buttons are part of the form; two fingers and a wheel with Ctrl do the same ---------------

const LEAST = 3; // inches across
const MOST = 480;
const STILL = 200; // milliseconds after which a wheel has come to rest
let grabbed = null; // the ground in hand, to move the part that is shown
let slid = false; // and it did move
let pinched = null; // two fingers: how far apart they were
let resting = 0;

const view = (svg) => svg.getAttribute("viewBox").split(" ").map(Number);
const asFrame = (svg) => {
  const { west, north, inch } = svg.dataset;
  const [x, y, wide, tall] = view(svg).map((part) => part / inch);
  return [Number(west) + x + wide / 2, Number(north) - y - tall / 2, wide].map((part) => Math.round(part * 100) / 100).join(",");
};

function askFramed() {
  const svg = drawing();
  slid = false;
  plate().querySelector("[data-frame]").value = asFrame(svg);
  ask();
}

function scale(svg, by, at) {
  const [x, y, wide, tall] = view(svg);
  const { inch } = svg.dataset;
  const factor = Math.min(MOST * inch, Math.max(LEAST * inch, wide * by)) / wide;
  svg.setAttribute("viewBox", [at.x - (at.x - x) * factor, at.y - (at.y - y) * factor, wide * factor, tall * factor].join(" "));
  slid = true;
}

const spotOf = (svg, x, y) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());

document.addEventListener("wheel", (event) => {
  const svg = event.target.closest?.("svg.board");
  if (!svg || svg !== drawing() || !event.ctrlKey) return;
  event.preventDefault();
  scale(svg, Math.exp(event.deltaY * 0.004), spotOf(svg, event.clientX, event.clientY));
  clearTimeout(resting);
  resting = setTimeout(askFramed, STILL);
}, { passive: false });

function spread({ touches: [one, other] }) {
  return { gap: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY), x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
}

function pinch(event) {
  const svg = drawing();
  if (event.touches.length !== 2 || held || !svg) return void (pinched = null);
  event.preventDefault();
  const now = spread(event);
  if (pinched) scale(svg, pinched.gap / now.gap, spotOf(svg, now.x, now.y));
  pinched = now;
}
document.addEventListener("touchend", () => {
  if (!pinched) return;
  pinched = null;
  if (slid) askFramed();
});

function grab(svg, event) {
  const [x, y] = view(svg);
  grabbed = { pointer: event.pointerId, from: { x: event.clientX, y: event.clientY }, x, y };
  svg.setPointerCapture(event.pointerId);
}

function slideTo(svg, event) {
  if (pinched) return;
  const [, , wide, tall] = view(svg);
  const pixel = 1 / svg.getScreenCTM().a;
  const [x, y] = [grabbed.x - (event.clientX - grabbed.from.x) * pixel, grabbed.y - (event.clientY - grabbed.from.y) * pixel];
  svg.setAttribute("viewBox", [x, y, wide, tall].join(" "));
  slid = true;
}

// --- where to aim: a tap on a model, or the best place of all, which is drawn as a ghost ------------------------------

function aim(one) {
  if (one?.dataset.tapSets) setAll(one.dataset.tapSets);
}

let best = {}; // what the best aim would come to, and where it lies

document.addEventListener("battletape:whatif", ({ detail }) => {
  best = detail;
  drawGhost();
});

// The first of some places where a tag hides neither a name nor a number, or else the first of all.
function free(svg, places, wide, tall, [width, height]) {
  const inside = places.map(([x, y]) => ({ x: Math.min(Math.max(x, wide / 2), width - wide / 2), y: Math.min(Math.max(y, tall), height - tall) }));
  const texts = [...svg.querySelectorAll("text")].map((one) => one.getBBox());
  const hides = ({ x, y }) => texts.some((box) => Math.abs(box.x + box.width / 2 - x) < (box.width + wide) / 2 && Math.abs(box.y + box.height / 2 - y) < (box.height + tall) / 2);
  return inside.find((place) => !hides(place)) ?? inside[0];
}

function drawGhost() {
  const svg = drawing();
  svg?.querySelector(".best")?.remove();
  const sets = plate()?.querySelector("[data-best]")?.dataset.best;
  const { spot, text } = best[sets] ?? {};
  const aimed = svg?.querySelector(".thing[data-lies]");
  if (!spot || !aimed || held) return;
  const { west, north, inch } = svg.dataset;
  const from = aimed.dataset.lies.split(" ").map(Number);
  const turn = ((spot[2] - from[2] + 540) % 360) - 180;
  if (Math.hypot(spot[0] - from[0], spot[1] - from[1]) < 0.01 && Math.abs(turn) < 0.1) return;
  const shape = aimed.querySelector(".disc").cloneNode();
  const by = `translate(${(spot[0] - from[0]) * inch} ${(from[1] - spot[1]) * inch})`;
  shape.setAttribute("transform", `${by} rotate(${turn} ${(from[0] - west) * inch} ${(north - from[1]) * inch})`);
  const letter = parseFloat(svg.getAttribute("font-size"));
  const words = text === document.querySelector("#answer .headline .big")?.textContent ? "best aim" : `best aim: ${text}`;
  const [wide, tall] = [words.length * 0.58 * letter + letter, 1.9 * letter];
  const [, , width, height] = view(svg);
  const make = (name, values) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
    return made;
  };
  const ghost = make("g", { class: "ghost best", role: "button", tabindex: 0, "data-set": sets, "aria-label": `Take the ${words}` });
  ghost.append(shape);
  svg.querySelector(".sheet").append(ghost);
  const rim = shape.getBoundingClientRect();
  const [first, last] = [spotOf(svg, rim.left, rim.top), spotOf(svg, rim.right, rim.bottom)];
  const [x, y] = [(first.x + last.x) / 2, (first.y + last.y) / 2];
  const at = free(svg, [[x, first.y], [x, last.y], [last.x, y], [first.x, y]], wide, tall, [width, height]);
  const label = make("text", { x: at.x, y: at.y + 0.35 * letter });
  label.textContent = words;
  ghost.append(make("rect", { class: "tag", x: at.x - wide / 2, y: at.y - tall / 2, width: wide, height: tall, rx: letter / 4 }), label);
}

// --- by keyboard -----------------------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  const one = event.target.closest?.("[data-input-x]");
  const way = KEYS[event.key];
  const pressed = event.target.closest?.("svg.board .best, svg.board [data-tap-sets]");
  if (pressed && ["Enter", " "].includes(event.key)) {
    event.preventDefault();
    setAll(pressed.dataset.set ?? pressed.dataset.tapSets);
    return;
  }
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
  zoomed = active?.dataset.zoom ?? null;
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
  svg.addEventListener("touchmove", pinch, { passive: false });
  ready(svg);
  drawGhost();
  refocus();
}

function ready(svg) {
  for (const one of movable(svg)) {
    one.setAttribute("tabindex", isShown(svg, one) ? "0" : "-1");
    one.setAttribute("role", "button");
    one.setAttribute("aria-label", one.querySelector("title")?.textContent ?? "");
    one.setAttribute("aria-describedby", "board-hint");
    const { x, y } = now(one);
    if (x !== Number(one.dataset.x) || y !== Number(one.dataset.y)) shift(svg, one, x, y);
    else one.removeAttribute("transform");
  }
}

// Who stands outside of the picture is not reached by Tab: the button with the minus shows everybody.
function isShown(svg, one) {
  const { west, north, inch } = svg.dataset;
  const [, , wide, tall] = view(svg);
  const [x, y] = [(one.dataset.x - west) * inch, (north - one.dataset.y) * inch];
  return x >= 0 && y >= 0 && x <= wide && y <= tall;
}

function refocus() {
  if (zoomed) (plate().querySelector(`[data-zoom="${zoomed}"]`) ?? plate().querySelector("[data-zoom]"))?.focus({ preventScroll: true });
  zoomed = null;
  if (focused) found(focused)?.focus({ preventScroll: true });
  focused = null;
}

prepare();
