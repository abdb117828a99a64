/* What a player has opened stays open when a part of the page is exchanged, and the focus in it
   stays where it was. A <details> is known again by its id, or else by its summary within the
   nearest part that has one (a form comes and goes with the turn); two that read alike are told
   apart by their order. On the board what has been closed stays closed too. */

const REACHABLE = "summary, a[href], button, input:not([type=hidden]), select, textarea";

let before = new Map();
let focused = null;

function nameOf(details) {
  if (details.id) return `#${details.id}`;
  const part = details.parentElement.closest("[id]:not(form)")?.id ?? "";
  return `${part} ${details.querySelector("summary").textContent.trim()}`;
}

function folds() {
  const found = new Map();
  for (const details of document.querySelectorAll("details")) {
    const name = nameOf(details);
    let n = 1;
    while (found.has(`${name} ${n}`)) n += 1;
    found.set(`${name} ${n}`, details);
  }
  return found;
}

document.addEventListener("htmx:before:swap", ({ defaultPrevented }) => {
  if (defaultPrevented) return;
  before = folds();
  const active = document.activeElement;
  const fold = active?.closest("details");
  focused = fold && { fold, active };
});

document.addEventListener("htmx:after:swap", () => {
  for (const [name, details] of folds()) {
    const last = before.get(name);
    if (!last || last === details) continue;
    if (last.open || details.closest("#board")) details.open = last.open;
    if (last === focused?.fold) refocus(details);
  }
  before = new Map();
});

/* Where the same controls stand there again, and nothing else has taken the focus. */
function refocus(details) {
  const last = [...focused.fold.querySelectorAll(REACHABLE)];
  const next = details.querySelectorAll(REACHABLE);
  if (document.activeElement !== document.body || last.length !== next.length) return;
  next[last.indexOf(focused.active)]?.focus({ preventScroll: true });
}
