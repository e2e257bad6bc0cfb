// Share the address of the question: by the system's own sheet where there is one, else into the clipboard.

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share]");
  if (!button) return;
  const answer = document.querySelector("#answer .answer");
  const url = location.href;
  const text = answer ? answer.dataset.said : document.title;
  try {
    if (navigator.share) await navigator.share({ title: document.title, text, url });
    else await navigator.clipboard.writeText(`${text}\n${url}`);
    say(button, navigator.share ? "Shared" : "Copied");
  } catch (error) {
    if (error.name !== "AbortError") say(button, "Copy the address above");
  }
});

function say(button, words) {
  const before = button.textContent;
  button.textContent = words;
  setTimeout(() => (button.textContent = before), 1600);
}
