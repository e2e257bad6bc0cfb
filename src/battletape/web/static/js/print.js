// Print: any page as it stands, by the browser; and a battle file from this device goes into the text that is printed.

document.addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-print]")) window.print();
});

document.addEventListener("change", async ({ target }) => {
  if (!target.matches?.("[data-battle]") || !target.files.length) return;
  document.getElementById("battle").value = await target.files[0].text();
  target.value = "";
});
