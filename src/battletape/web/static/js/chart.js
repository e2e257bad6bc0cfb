// Reading a chart off by touch, mouse or keyboard: a column is marked, and its sentence stands below the picture.

function columns(chart) {
  return [...chart.querySelectorAll(".reach rect")];
}

function read(chart, at) {
  const all = columns(chart);
  const now = Math.max(0, Math.min(all.length - 1, at));
  chart.dataset.read = now;
  all.forEach((one, index) => one.classList.toggle("read", index === now));
  chart.querySelectorAll(".bar").forEach((one, index) => one.classList.toggle("read", index === now));
  chart.querySelectorAll(".least circle").forEach((one, index) => one.classList.toggle("read", index === now));
  const words = all[now].dataset.words;
  chart.querySelector(".readout").textContent = words;
  const plot = chart.querySelector(".plot");
  plot.setAttribute("aria-valuenow", now);
  plot.setAttribute("aria-valuetext", words);
}

// With scripts the picture is a slider over its columns.
export function prepare(root = document) {
  for (const chart of root.querySelectorAll("[data-chart]")) {
    const plot = chart.querySelector(".plot");
    plot.setAttribute("role", "slider");
    plot.setAttribute("tabindex", "0");
    plot.setAttribute("aria-valuemin", "0");
    plot.setAttribute("aria-valuemax", columns(chart).length - 1);
    plot.setAttribute("aria-valuenow", chart.dataset.read);
    plot.setAttribute("aria-valuetext", chart.querySelector(".readout").textContent);
    for (const title of plot.querySelectorAll("title")) title.remove(); // the sentence below says it
  }
}

function under(event) {
  const chart = event.target.closest?.("[data-chart]");
  const plot = chart?.querySelector(".plot");
  if (!plot || !plot.contains(event.target)) return;
  const box = plot.getBoundingClientRect();
  read(chart, Math.floor(((event.clientX - box.left) / box.width) * columns(chart).length));
}

document.addEventListener("pointermove", under);
document.addEventListener("pointerdown", under);
document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.("[data-chart] .plot")) return;
  const chart = event.target.closest("[data-chart]");
  const now = Number(chart.dataset.read);
  const last = columns(chart).length - 1;
  const to = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, Home: 0, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  read(chart, to);
});
document.addEventListener("htmx:afterSettle", () => prepare());
prepare();
