// Print: any page as it stands, by the browser; and a battle file from this device goes into the text that is printed.

document.addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-print]")) window.print();
});

// Of a rule book the chapters that are open are printed with their texts, or all of them if none is.
let opened = [];
window.addEventListener("beforeprint", () => {
  const chapters = [...document.querySelectorAll(".chapter")];
  const chosen = chapters.filter((one) => one.open);
  const printed = (chosen.length ? chosen : chapters).flatMap((one) => [one, ...one.querySelectorAll("details")]);
  opened = printed.filter((one) => !one.open);
  for (const one of opened) one.open = true;
});
window.addEventListener("afterprint", () => {
  for (const one of opened) one.open = false;
  opened = [];
});

document.addEventListener("change", async ({ target }) => {
  if (!target.matches?.("[data-battle]") || !target.files.length) return;
  document.getElementById("battle").value = await target.files[0].text();
  target.value = "";
});
