// The dice on the table: boxes with the focus jumping on, faces by their keys, a dial for bearings.

const words = (text) => (text ? text.split(" ") : []);
const group = (input) => input.closest("[data-boxes]");
const all = (boxes) => [...boxes.querySelectorAll("input")];

function fits(boxes) {
  boxes.known ??= words(boxes.dataset.known);
  return boxes.known;
}

// A box is full when no face has more letters than it holds already.
function isFull(boxes, text) {
  const known = fits(boxes);
  if (known.length === 0) return text.length >= Number(boxes.dataset.wide);
  return text !== "" && !known.some((one) => one.length > text.length && one.startsWith(text));
}

function mark(input) {
  const boxes = group(input);
  const text = input.value.trim();
  const known = fits(boxes);
  const wrong = text !== "" && known.length > 0 && !known.includes(text);
  const box = input.closest(".box");
  box.classList.toggle("filled", text !== "");
  box.classList.toggle("ok", words(boxes.dataset.ok).includes(text));
  box.classList.toggle("no", words(boxes.dataset.no).includes(text));
  box.classList.toggle("wrong", wrong);
  if (wrong) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

function count(boxes) {
  const place = boxes.form.querySelector("[data-progress]");
  if (!place) return;
  const typed = all(boxes).filter((one) => one.value.trim() !== "").length;
  const ok = boxes.querySelectorAll(".box.ok").length;
  const scored = boxes.dataset.ok || boxes.dataset.no ? ` · ${ok} succeed` : "";
  place.textContent = typed ? `${typed} of ${all(boxes).length} typed${scored}` : "";
}

function go(input, by) {
  const row = all(group(input));
  const next = row[row.indexOf(input) + by];
  if (next) next.focus();
  else if (by > 0) input.form.querySelector("[data-go]")?.focus();
}

// Where every box is full there is nothing more to type: it goes on by itself. “Undo the last” brings the dice back.
function goOn(boxes) {
  if (boxes.querySelector(".box.wrong")) return;
  if (all(boxes).every((one) => isFull(boxes, one.value.trim()))) boxes.form.requestSubmit(); // a 7 may become a 70
}

// Several dice at once, from this box on: pasted, or typed faster than the focus jumps.
function spread(input, parts) {
  const row = all(group(input));
  let at = row.indexOf(input);
  for (const part of parts) {
    if (!row[at]) break;
    row[at].value = part;
    mark(row[at]);
    at += 1;
  }
  count(group(input));
  goOn(group(input));
  if (row[at]) row[at].focus();
  else input.form.querySelector("[data-go]")?.focus();
}

function cut(boxes, text) {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const wide = Number(boxes.dataset.wide);
  if (parts.length === 1 && /^\d+$/.test(text.trim()) && text.trim().length > wide) return text.trim().match(new RegExp(`.{1,${wide}}`, "g"));
  return parts;
}

document.addEventListener("input", ({ target }) => {
  if (target.matches?.("[data-bearing]")) return turn(target);
  if (!target.matches?.("[data-boxes] input")) return;
  const boxes = group(target);
  const text = target.value.trim();
  const known = fits(boxes);
  const head = text.slice(0, -1);
  if (text.length > 1 && known.includes(head) && !known.includes(text) && !known.some((one) => one.startsWith(text))) {
    spread(target, [head, text.slice(-1)]);
    return;
  }
  mark(target);
  count(boxes);
  goOn(boxes);
  if (text !== "" && isFull(boxes, text) && (known.length === 0 || known.includes(text))) go(target, 1);
});

// Tapped faces go into the boxes one after the other; the focus stays where it is, so that no keyboard comes up.
document.addEventListener("click", ({ target }) => {
  const face = target.closest?.("[data-pad] [data-face]");
  const undo = target.closest?.("[data-pad] [data-unface]");
  if (!face && !undo) return;
  const boxes = (face ?? undo).form.querySelector("[data-boxes]");
  const row = all(boxes);
  const box = face ? row.find((one) => one.value.trim() === "") : row.findLast((one) => one.value.trim() !== "");
  if (!box) return;
  box.value = face ? face.dataset.face : "";
  mark(box);
  count(boxes);
  goOn(boxes);
  if (face && row.every((one) => one.value.trim() !== "")) boxes.form.querySelector("[data-go]")?.focus();
});

document.addEventListener("paste", (event) => {
  if (!event.target.matches?.("[data-boxes] input")) return;
  const parts = cut(group(event.target), event.clipboardData.getData("text"));
  if (parts.length < 2) return;
  event.preventDefault();
  spread(event.target, parts);
});

document.addEventListener("focusin", ({ target }) => {
  if (target.matches?.("[data-boxes] input")) target.select();
});

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches?.("[data-boxes] input")) {
    const row = all(group(target));
    if (key === "Enter") {
      event.preventDefault();
      const empty = row.slice(row.indexOf(target) + 1).find((one) => one.value.trim() === "");
      if (empty && target.value.trim() !== "") empty.focus();
      else if (row.some((one) => one.value.trim() !== "")) target.form.requestSubmit(); // the boxes before went on by themselves
    } else if (key === " " || key === "ArrowRight") {
      event.preventDefault();
      go(target, 1);
    } else if (key === "ArrowLeft" || (key === "Backspace" && target.value === "")) {
      event.preventDefault();
      go(target, -1);
    }
    return;
  }
  const faces = target.closest?.(".table")?.querySelector(".faces");
  if (!faces || !/^\d$/.test(key)) return;
  const wanted = faces.querySelector(`[data-key="${key}"]`) ?? (key === "0" ? faces.querySelector('[data-key="10"]') : null);
  if (wanted && !(faces.children.length > 10 && key !== "0")) wanted.click();
});

// Arrow keys walk over the faces and options.
document.addEventListener("keydown", (event) => {
  const button = event.target.closest?.(".faces button, .options button");
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!button || !by) return;
  const row = [...button.parentElement.querySelectorAll("button")];
  event.preventDefault();
  row[(row.indexOf(button) + by + row.length) % row.length].focus();
});

function turn(input) {
  const needle = input.form.querySelector(".dial .needle");
  const angle = Number(input.value);
  const right = input.value.trim() !== "" && angle >= 0 && angle <= 360;
  needle.setAttribute("visibility", right ? "visible" : "hidden");
  if (right) needle.setAttribute("transform", `rotate(${angle})`);
}

function point(event) {
  const dial = event.target.closest?.("[data-dial]");
  if (!dial || (event.type === "pointermove" && !event.buttons)) return;
  const box = dial.querySelector("svg").getBoundingClientRect();
  const across = event.clientX - box.left - box.width / 2;
  const up = box.top + box.height / 2 - event.clientY;
  const input = dial.closest("form").querySelector("[data-bearing]");
  input.value = (Math.round((Math.atan2(across, up) * 180) / Math.PI) + 360) % 360;
  turn(input);
}
document.addEventListener("pointerdown", point);
document.addEventListener("pointermove", point);

function begin() {
  const form = document.querySelector("form[data-waits]");
  if (!form) return;
  for (const boxes of form.querySelectorAll("[data-boxes]")) {
    all(boxes).forEach(mark);
    count(boxes);
  }
  form.querySelector("[data-first]")?.focus({ preventScroll: true });
}

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target?.id !== "rolled") return;
  begin();
  if (!document.querySelector("form[data-waits]") && document.activeElement === document.body) {
    // the last face went on by itself: an Enter that comes after it must not begin anew
    document.querySelector("#rolled [data-typed] .sentence, #rolled .acts .btn")?.focus({ preventScroll: true });
  }
  if (detail.target.getBoundingClientRect().top < 0) detail.target.scrollIntoView();
});
begin();
