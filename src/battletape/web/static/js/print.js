// A battle file from this device goes into the text that is printed.

document.addEventListener("change", async ({ target }) => {
  if (!target.matches?.("[data-battle]") || !target.files.length) return;
  document.getElementById("battle").value = await target.files[0].text();
  target.value = "";
});
