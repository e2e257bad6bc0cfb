// The last questions asked on this device, with their answers; they never leave it.

import { forget, listOf, load, local, moment, save, text } from "./store.js";

const MOST = 12;
const MINUTE = 60_000;
const UNITS = [["day", 24 * 60 * MINUTE], ["hour", 60 * MINUTE], ["minute", MINUTE]];

const reader = listOf((one) => {
  const { title, said, asked, number } = one;
  const short = one.short ?? said;
  const words = { title: text(title), said: text(said), asked: text(asked), number: text(number), short: text(short) };
  return local(one.address) && { address: one.address, ...words, at: moment(one.at) };
}, MOST);

function note() {
  const answer = document.querySelector("#answer .answer");
  if (!answer || document.querySelector("#answer.late, #trouble .trouble")) return;
  const { address, title, said, asked = "" } = answer.dataset;
  const number = answer.querySelector(".big")?.textContent ?? "";
  const short = document.querySelector("#answer .sticky span")?.textContent ?? said; // what the number is, in a few words
  const path = address.split("?")[0];
  const others = load("recent", reader).filter((one) => one.address !== address);
  const last = others[0];
  // While somebody is still turning the numbers of one question, only its last state counts.
  if (last && last.address.split("?")[0] === path && Date.now() - last.at < MINUTE) others.shift();
  save("recent", [{ address, title, said, asked, number, short, at: Date.now() }, ...others].slice(0, MOST));
}

function ago(at) {
  const past = Date.now() - at;
  const [unit, length] = UNITS.find(([, length]) => past >= length) ?? ["second", 0];
  if (!length) return "just now";
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.floor(past / length), unit);
}

function line(one) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = one.address;
  const words = document.createElement("span");
  words.append(one.asked || one.title);
  const small = document.createElement("small");
  small.textContent = `${one.short}, ${ago(one.at)}`;
  words.append(small);
  link.append(words);
  if (one.number) {
    const number = document.createElement("b");
    number.className = "number";
    number.textContent = one.number;
    link.append(number);
  }
  item.append(link);
  return item;
}

export function showRecent() {
  note();
  const place = document.getElementById("recent");
  if (!place) return;
  const found = load("recent", reader);
  if (!found.length) return;
  const list = place.querySelector("ul");
  list.append(...found.map(line));
  place.querySelector("[data-none]").hidden = true;
  place.querySelector("[data-forget]").hidden = false;
  place.querySelector("[data-all]").hidden = getComputedStyle(list.lastElementChild).display !== "none";
}

// A page of the rule book leads to questions as they were asked last on this device, unless its address says from where
// one came; a rule that opens beside a question knows that question.
export function keepContext() {
  if (new URLSearchParams(location.search).has("from")) return;
  const found = load("recent", reader);
  for (const link of document.querySelectorAll("ul.asks a")) {
    const last = !link.closest("#beside") && found.find((one) => one.address.split("?")[0] === link.pathname);
    if (last) link.href = last.address;
  }
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
  const place = document.getElementById("recent");
  if (event.target.closest("#recent [data-all]")) {
    place.classList.add("all");
    event.target.hidden = true;
    place.querySelector("li:nth-child(5) a")?.focus();
  }
  if (!event.target.closest("[data-forget]")) return;
  forget("recent");
  place.querySelector("ul").replaceChildren();
  place.querySelector("[data-none]").hidden = false;
  for (const button of place.querySelectorAll("button")) button.hidden = true;
});
