// The last questions asked on this device; they never leave it.

import { forget, load, save } from "./store.js";

const MOST = 12;

function note() {
  const answer = document.querySelector("#answer .answer");
  if (!answer) return;
  const { address, title, said } = answer.dataset;
  const path = address.split("?")[0];
  const others = load("recent", []).filter((one) => one.address !== address);
  const last = others[0];
  // While somebody is still turning the numbers of one question, only its last state counts.
  if (last && last.address.split("?")[0] === path && Date.now() - last.at < 60_000) others.shift();
  save("recent", [{ address, title, said, at: Date.now() }, ...others].slice(0, MOST));
}

export function showRecent() {
  note();
  const place = document.getElementById("recent");
  if (!place) return;
  const found = load("recent", []).filter((one) => typeof one.address === "string" && /^\/[^/\\]/.test(one.address));
  if (!found.length) return;
  const list = place.querySelector("ul");
  for (const one of found) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = one.address;
    link.append(String(one.title));
    const small = document.createElement("small");
    small.textContent = String(one.said);
    link.append(small);
    item.append(link);
    list.append(item);
  }
  place.hidden = false;
}

let later = 0;
function settle() {
  if (!later) return;
  clearTimeout(later);
  later = 0;
  note();
}
document.addEventListener("htmx:afterSettle", () => {
  clearTimeout(later);
  later = setTimeout(settle, 800);
});
window.addEventListener("pagehide", settle); // whoever leaves at once finds his last change too
document.addEventListener("visibilitychange", () => document.hidden && settle());
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-forget]")) return;
  forget("recent");
  document.getElementById("recent").hidden = true;
});
