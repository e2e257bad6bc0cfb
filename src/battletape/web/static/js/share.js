// Share a page: its link as other devices reach it, with a QR code, in a sheet; on a phone that can, its own way to send it.
// Print it: what was asked stands above it, because the form is left out.

async function sheet() {
  const known = document.getElementById("share");
  if (known) return known;
  const made = document.createElement("dialog");
  made.id = "share";
  made.className = "card sheet";
  made.setAttribute("aria-labelledby", "share-h");
  made.innerHTML = '<div class="besidehead"><h2 id="share-h">Share</h2><button type="button" class="btn bare" data-close-share>Close</button></div><div class="stack"></div>';
  document.body.append(made);
  return made;
}

async function open() {
  const made = await sheet();
  const place = made.querySelector(".stack");
  const to = location.pathname + location.search;
  try {
    const reply = await fetch(`/share?to=${encodeURIComponent(to)}`, { headers: { "HX-Request": "true" } });
    if (!reply.ok) throw new Error(reply.statusText);
    place.innerHTML = await reply.text();
  } catch {
    place.innerHTML = '<p class="soft">The server cannot be reached now. This is the link on this device.</p><div class="linkrow"><input type="text" id="share-link" readonly aria-label="The link"></div><p class="acts"><button type="button" class="btn main" data-copy="share-link">Copy the link</button></p>';
    place.querySelector("input").value = location.href;
  }
  const send = place.querySelector("[data-send]");
  if (send) send.hidden = !navigator.share;
  if (!made.open) made.showModal();
  made.querySelector("[data-copy]").focus();
}

async function send() {
  const answer = document.querySelector("#answer .answer");
  const url = document.getElementById("share-link").value;
  const text = answer ? answer.dataset.said : document.title;
  await navigator.share({ title: document.title, text, url }).catch(() => {}); // whoever thinks better of it has seen the link
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-share]")) open();
  if (event.target.closest("[data-send]")) send();
  if (event.target.closest("[data-print]")) window.print();
  const made = document.getElementById("share");
  if (made?.open && (event.target === made || event.target.closest("[data-close-share]"))) made.close();
});
