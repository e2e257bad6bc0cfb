// Beside what the answer would become: the risk of each fire mode, and which choices make no difference.

const address = () => document.querySelector("#answer .answer")?.dataset.address;
const number = () => document.querySelector("#answer .headline .big")?.textContent.trim();
let asking = null;

// A figure that is the answer's own says nothing: it turns quiet.
function quiet() {
  const now = number();
  for (const slot of document.querySelectorAll("#ask [data-if]")) slot.classList.toggle("same", Boolean(now) && slot.textContent.trim() === now);
}

async function risks() {
  const slots = [...document.querySelectorAll("#ask [data-beside]")].filter((slot) => slot.checkVisibility());
  const here = address();
  if (!slots.length || !here) return;
  asking?.abort();
  asking = new AbortController();
  const [path, query = ""] = here.split("?");
  for (const measure of new Set(slots.map((slot) => slot.dataset.beside))) {
    const own = slots.filter((slot) => slot.dataset.beside === measure);
    const asked = new URLSearchParams(query);
    asked.set("_measure", measure);
    for (const slot of own) asked.append("_if", slot.dataset.key);
    try {
      const reply = await fetch(`${path}/whatif?${asked}`, { signal: asking.signal });
      if (!reply.ok || here !== address()) return;
      const figures = await reply.json();
      for (const slot of own) {
        const { text = "" } = figures[slot.dataset.key] ?? {};
        slot.textContent = /\d/.test(text) ? `${slot.dataset.word} ${text}` : "";
      }
    } catch {
      return; // nobody waits for it any more
    }
  }
}

document.addEventListener("whatif:filled", () => {
  quiet();
  risks();
});
