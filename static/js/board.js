/* The board with a mouse, a finger or keys. Without this file the same forms work by buttons:
   what it adds is that a step is taken as soon as all of it is chosen, Escape, a prompt that goes
   along with what is chosen or says why it cannot be, a sensible focus after each exchange, and
   words for those who listen. */

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
const voice = document.querySelector("[data-board-voice]");
const underWay = new Set();
const late = new Set();
const lateClaims = new Map();
let isByArrow = false;
let focusBefore = null;
let scrollBefore = 0;

const board = () => document.querySelector("#board");
const chosen = (name) => board()?.querySelector(`input[name="${name}"]:checked`);

/* The radio buttons with data-choice are what a step is chosen by: a card, say, and a place. One
   with data-at-once is a whole step by itself. */
const CHOICE = "#board input[data-choice]";
const choices = () => [...new Set([...document.querySelectorAll(CHOICE)].map(({ name }) => name))];

document.documentElement.classList.add("has-script");

function press(selector) {
  const button = board()?.querySelector(selector);
  button?.click();
  return Boolean(button);
}

/* Arrow keys walk through a group of radio buttons and choose as they go: that is not yet a
   decision. A tap, a click, Space or Enter is. */
document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("[data-chat], .answers, textarea")) return; // who types plays no card
  if (event.repeat && event.key === "Enter") {
    // A key that is held down would choose, lay and confirm what nobody has looked at.
    if (event.target.closest?.("#board")) event.preventDefault();
    return;
  }
  isByArrow = ARROWS.includes(event.key);
  if (event.key === "Escape" && board()?.dataset.toAct !== undefined) takeBack();
  if (event.key !== "Enter") return;
  if (event.target.matches?.(CHOICE)) goOn(event);
  if (event.target.matches?.("input[data-pick]")) pick(event);
  if (event.target.matches?.("input[data-claim]")) {
    event.preventDefault();
    event.target.click();
  }
});

document.addEventListener("pointerdown", () => {
  isByArrow = false;
});

document.addEventListener("change", ({ target }) => {
  if (target.matches("#board input[data-claim]")) {
    if (underWay.size) lateClaims.set(target.id, target.checked);
    const { claim } = target.dataset;
    ask(target.checked ? "claimed" : "unclaimed", { stone: claim });
    return;
  }
  if (target.matches(PICK)) allowUse();
  if (!target.matches(CHOICE)) return;
  if (underWay.size && !isByArrow) {
    late.add(target.id);
    return;
  }
  goAlong(target);
});

/* Follows a choice that has been made, and takes the step where all of it is chosen. */
function goAlong(choice) {
  follow();
  uncover();
  if (!isByArrow && isWhole(choice)) press("[data-lay]");
}

/* Who is quicker than the site chooses on a board that is about to be exchanged, where nothing more
   is sent: the choice is made again on the board that comes, if it is still to be had there. */
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.target?.id === "board" && !ctx.live) underWay.add(ctx);
});

document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (!underWay.delete(ctx) || underWay.size) return;
  const [chosenLate, claimed] = [[...late], [...lateClaims]];
  late.clear();
  lateClaims.clear();
  for (const [id, isChecked] of claimed) {
    const claim = document.getElementById(id);
    if (claim?.matches("input[data-claim]") && claim.checked !== isChecked) claim.click();
  }
  for (const choice of chosenLate.map((id) => document.getElementById(id))) {
    if (!choice?.matches(CHOICE)) continue;
    // After a failure it is the same board, on which the choice stands already.
    if (choice.checked) goAlong(choice);
    else choice.click();
  }
});

/* Whoever taps on where a button was a moment ago has not seen that a link stands there now. */
const STILL_MS = 700;
const NEAR_PX = 60;
let stillUntil = 0;
let tapped = { x: 0, y: 0 };

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx.target?.id === "board" && !ctx.live) stillUntil = performance.now() + STILL_MS;
});

document.addEventListener(
  "click",
  (event) => {
    const { clientX: x, clientY: y, detail } = event;
    if (!detail) return; // a click by a key
    const isNear = Math.hypot(x - tapped.x, y - tapped.y) < NEAR_PX;
    tapped = { x, y };
    if (!isNear || !event.target.closest?.("#board a") || performance.now() > stillUntil) return;
    stillUntil = performance.now() + STILL_MS;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);

/* What cannot be chosen says why when somebody tries. */
document.addEventListener("click", ({ target }) => {
  const closed = target.closest?.("#board [data-why]");
  if (!closed || target.closest("a, button, input, label, summary")) return;
  tell(closed.dataset.why);
});

const isWhole = (choice) => choice.dataset.atOnce !== undefined || choices().every(chosen);

/* Enter takes what the arrow keys have come to, and leads to what is still to be chosen. */
function goOn(event) {
  event.preventDefault();
  event.target.checked = true;
  if (isWhole(event.target)) press("[data-lay]");
  else board().querySelector(`input[name="${choices().find((name) => !chosen(name))}"]`).focus();
}

/* A radio button with data-pick is what an ability is used on: its button is there for nobody before
   one of them is chosen. Enter leads on to it. */
const PICK = "#board input[data-pick]";

function allowUse() {
  const use = board()?.querySelector("[data-use]");
  const [any, picked] = [document.querySelector(PICK), document.querySelector(`${PICK}:checked`)];
  if (use) use.disabled = Boolean(any) && !picked;
}

allowUse();

function pick(event) {
  event.preventDefault();
  event.target.checked = true;
  allowUse();
  board().querySelector("[data-use]").focus();
}

function takeBack() {
  if (press("[data-take-back]")) return;
  for (const choice of document.querySelectorAll(`${CHOICE}:checked`)) choice.checked = false;
  const prompt = board()?.querySelector("[data-prompt]");
  if (prompt?.dataset.first !== undefined) tell(prompt.dataset.first);
}

/* The prompt goes along with what has been chosen. */
function follow() {
  const [card, place] = [chosen("card"), chosen("stone") ?? chosen("bridge")];
  if (!card && !place) return;
  const names = { card: card?.ariaLabel ?? "", [place?.name ?? ""]: place?.value ?? "" };
  ask(card && place ? "both" : card ? "card" : "place", names);
}

function ask(kind, names) {
  const sentence = board()?.querySelector("[data-prompt]")?.dataset[kind];
  if (!sentence) return;
  const told = sentence.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? "");
  tell(told.charAt(0).toLocaleUpperCase(document.documentElement.lang) + told.slice(1));
}

function tell(sentence) {
  const prompt = board()?.querySelector("[data-prompt]");
  if (!prompt) return;
  prompt.dataset.first ??= prompt.textContent;
  prompt.textContent = sentence;
  speak();
}

/* An answer without a board is not for the board: a page of another kind, or an error. */
document.addEventListener("htmx:before:swap", (event) => {
  const { ctx, tasks } = event.detail;
  const main = tasks.find((task) => task.type === "main");
  if (!main || main.target?.id !== "board") return;
  if (!main.fragment.querySelector("#board")) {
    event.preventDefault();
    if (!ctx.live) tellTrouble();
    return;
  }
  remember();
});

document.addEventListener("htmx:error", (event) => {
  if (event.target.closest?.("#board")) tellTrouble();
});

function tellTrouble() {
  const notice = document.querySelector("[data-board-trouble]");
  notice.hidden = false;
  notice.scrollIntoView({ block: "nearest" });
}

/* A socket that opens says that the site answers again. */
document.addEventListener("live:open", () => {
  document.querySelector("[data-board-trouble]").hidden = true;
});

/* Brings what can be chosen now out from under the line that stays in sight below it. */
const COVERING = "#board .dock--own, #board .desk:has(.turn--own)";
const OPEN = "#board .dock--lay :checked, #board .spot__choice, #board .hand__choice:checked, #board .card--planned";
const FREE = "#board .stone--open .side--bottom .place:not(.place ~ .place)";
const PLACES = `#board .bridge--open .place, #board .spot__target:has(.spot__choice), #board .card--planned, ${FREE}`;

function uncover() {
  const dock = document.querySelector(COVERING);
  if (!dock || !document.querySelector(OPEN)) return;
  if (getComputedStyle(dock).position !== "sticky") return;
  const { top, left, right } = dock.getBoundingClientRect();
  const bottoms = [...document.querySelectorAll(PLACES)]
    .map((place) => place.getBoundingClientRect())
    .filter((place) => place.left < right && place.right > left)
    .map((place) => place.bottom);
  const hidden = Math.max(...bottoms) + 8 - top;
  if (hidden > 0) window.scrollBy({ top: hidden, behavior: "instant" });
}

uncover();

function remember() {
  const active = document.activeElement;
  focusBefore = board().contains(active) ? active : null;
  scrollBefore = document.querySelector("[data-keep-scroll]")?.scrollTop ?? 0;
}

document.addEventListener("htmx:after:swap", (event) => {
  if (event.detail.ctx.target?.id !== "board") return;
  document.querySelector("[data-board-trouble]").hidden = true;
  const scrolled = document.querySelector("[data-keep-scroll]");
  if (scrolled && event.detail.ctx.live) scrolled.scrollTop = scrollBefore;
  allowUse();
  restoreFocus();
  uncover();
  speak();
});

/* Where the focused control is gone, go on with what comes next: confirm, the card, the line. */
function restoreFocus() {
  if (!focusBefore || board().contains(document.activeElement)) return;
  const next =
    board().querySelector("[data-focus]") ||
    board().querySelector("input[data-choice][name=card]") ||
    board().querySelector("input[data-choice]") ||
    board().querySelector("[data-voice]");
  next?.focus({ preventScroll: true });
  focusBefore = null;
}

function speak() {
  const line = board().querySelector("[data-voice]")?.textContent.replace(/\s+/g, " ").trim();
  if (line && voice.textContent !== line) voice.textContent = line;
}
