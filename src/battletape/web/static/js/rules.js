// The searches of the rule book and of the first page: “/” goes there, and what was found is said aloud.

const words = () => document.querySelector('.look input[type="search"], .find input[type="search"]');

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || !words()) return;
  if (event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  words().focus();
  words().select();
});

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target?.id !== "found") return;
  document.getElementById("trouble")?.replaceChildren();
  const said = document.getElementById("said");
  const heading = document.querySelector("#found [data-said]");
  if (said && heading) said.textContent = heading.dataset.said;
});

// On a phone the finds would come up under its keyboard.
document.addEventListener("input", ({ target }) => {
  const form = target.closest?.(".find");
  if (!form || window.matchMedia("(min-width: 60em)").matches) return;
  const smooth = window.matchMedia("(prefers-reduced-motion: no-preference)").matches;
  form.scrollIntoView({ block: "start", behavior: smooth ? "smooth" : "instant" });
});
