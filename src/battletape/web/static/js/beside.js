// A rule beside the answer: shown when its text has come, closed by its button or Escape, and the focus goes back.

let opener = null;

function close() {
  const beside = document.getElementById("beside");
  if (!beside || beside.hidden) return;
  beside.hidden = true;
  const again = opener && (opener.isConnected ? opener : document.querySelector(`a[href="${opener.getAttribute("href")}"]`));
  again?.focus();
  opener = null;
}

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.target?.id === "beside") opener = detail.elt;
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target?.id !== "beside") return;
  detail.target.hidden = false;
  detail.target.focus({ preventScroll: true });
});
document.addEventListener("click", (event) => {
  if (event.target.closest('[data-close="beside"]')) close();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
});
