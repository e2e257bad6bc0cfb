// What is not worked out yet comes by itself: a part of the page with data-more="ADDRESS" is fetched again from there and
// put in its place, with the parts that data-also="ID" names, until it has no such address any more. While it gets on
// there is no pause; otherwise they grow longer.

import { PAUSES } from "./late.js";

let fetching = null; // to drop the request if the part has been replaced by another
let waiting = 0;
let tries = 0;

const part = () => document.querySelector("[data-more]");

async function more() {
  const here = part();
  if (!here) return;
  const { more: address, done } = here.dataset;
  fetching = new AbortController();
  let next = null;
  let also = null;
  try {
    const reply = await fetch(address, { signal: fetching.signal });
    const whole = reply.ok ? new DOMParser().parseFromString(await reply.text(), "text/html") : null;
    next = whole?.getElementById(here.id);
    also = whole?.getElementById(here.dataset.also);
  } catch (error) {
    if (error.name === "AbortError") return;
  }
  if (!here.isConnected) return;
  tries = next && next.dataset.done !== done ? 0 : tries + 1;
  if (next) put(here, next);
  if (also) document.getElementById(also.id)?.replaceWith(document.adoptNode(also));
  again();
}

// In place of the old one, scrolled as it was; a link that had the focus keeps it.
function put(here, next) {
  const scrolled = [...here.querySelectorAll(".scroll")].map((box) => [box.scrollLeft, box.scrollTop]);
  const focused = here.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  const boxed = document.activeElement?.matches?.("#heatmap .scroll");
  here.replaceWith(document.adoptNode(next));
  next.querySelectorAll(".scroll").forEach((box, at) => box.scrollTo(...(scrolled[at] ?? [0, 0])));
  const held = focused ? [...next.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused) : null;
  (held ?? (boxed ? next.querySelector(".scroll") : null))?.focus({ preventScroll: true });
}

function again() {
  clearTimeout(waiting);
  if (!part()) return;
  const pause = tries ? PAUSES[Math.min(tries - 1, PAUSES.length - 1)] : 0;
  waiting = setTimeout(more, 1000 * pause);
}

document.addEventListener("htmx:afterSettle", () => {
  fetching?.abort();
  tries = 0;
  again();
});
again();
