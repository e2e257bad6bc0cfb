// Export: copy the text or the link, and show another measure as soon as it is chosen.

async function copy(field) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(field.value);
    return true;
  }
  // Browsers give the clipboard to safe addresses only; a phone in the same network has none, but the old way works.
  field.focus();
  field.select();
  return document.execCommand("copy");
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  const done = await copy(field).catch(() => false);
  if (!done) field.select();
  const words = done ? "Copied" : "Selected: copy it by hand";
  const before = (button.dataset.before ??= button.textContent);
  button.textContent = words;
  const said = document.getElementById("said");
  if (said) said.textContent = words;
  setTimeout(() => (button.textContent = before), 1800);
});

document.addEventListener("change", ({ target }) => {
  if (target.closest("[data-take]")) target.form.requestSubmit();
});
