/* The chat of a match. Without this file the same forms work, and new messages stand there when
   the page is loaded: what it adds is that messages arrive (live.js hears of them), that Enter
   sends, that what was seen is noted, and that focus and scrolling stay where they were. */

const sections = () => document.querySelectorAll("[data-chat]");
const room = (section) => section.querySelector("[data-chat-room]");
const log = (section) => section.querySelector("[data-chat-log]");
const isOpen = (section) => section.querySelector("details").open;

document.documentElement.classList.add("has-chat-script");

/* A room that is behind is fetched again; its messages are morphed, so that only what is new is
   told to those who listen, and the form beside them is left alone. */
document.addEventListener("live:chat", ({ detail }) => {
  for (const section of sections()) {
    const isThis = section.dataset.chat === detail.room && Number(section.dataset.match) === detail.match;
    if (isThis && Number(room(section).dataset.version) < detail.version) fetchRoom(section);
  }
});

function fetchRoom(section) {
  const target = `#${room(section).id}`;
  window.htmx?.ajax("GET", section.dataset.url, { source: section, target, swap: "outerMorph" });
}

let focused = "";
const typed = new Map();
let wasAtEnd = new Set();

document.addEventListener("htmx:before:swap", ({ detail, target }) => {
  const section = chatOf(detail.ctx?.target ?? target);
  if (!section) return;
  const main = detail.tasks?.find((task) => task.type === "main");
  if (main && !main.fragment.querySelector("[data-chat-room]")) return;
  focused = section.contains(document.activeElement) ? document.activeElement.id || "text" : "";
  const words = section.querySelector("[data-chat-text]")?.value;
  if (words && words !== sent.get(section.id)) typed.set(section.id, words);
  if (isAtEnd(section)) wasAtEnd.add(section.dataset.chat);
});

document.addEventListener("htmx:after:swap", ({ detail, target }) => {
  const section = chatOf(detail.ctx?.target ?? target) ?? chatOf(target);
  if (!section) return;
  const here = document.getElementById(section.id) ?? section;
  if (wasAtEnd.delete(here.dataset.chat)) toEnd(here);
  keepWords(here);
  if (focused && !here.contains(document.activeElement)) {
    const field = document.getElementById(focused) ?? here.querySelector("[data-chat-text]");
    (field ?? here.querySelector("summary")).focus({ preventScroll: true });
  }
  focused = "";
  watch(here);
  tell(here, Number(room(here).dataset.unread));
  settle(here);
});

/* What was typed while a message was on its way is not part of it, and stays. */
const sent = new Map();

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const section = chatOf(ctx?.sourceElement);
  const field = section?.querySelector("[data-chat-text]");
  if (field && field.form === ctx.sourceElement.closest("form")) sent.set(section.id, field.value);
});

function keepWords(section) {
  const field = section.querySelector("[data-chat-text]");
  const words = typed.get(section.id);
  typed.delete(section.id);
  if (field && words && !field.value) field.value = words;
}

function chatOf(element) {
  return element?.closest?.("[data-chat]") ?? null;
}

function isAtEnd(section) {
  const { scrollTop, scrollHeight, clientHeight } = log(section);
  return scrollHeight - scrollTop - clientHeight < 40;
}

function toEnd(section) {
  log(section).scrollTop = log(section).scrollHeight;
}

/* Enter sends; with Shift it begins a new line. While letters are composed it is neither. */
document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.("[data-chat-text]")) return;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  if (event.target.value.trim()) event.target.form.requestSubmit();
});

/* What stands in sight of somebody who looks at the page has been read. */
const inSight = new Set();
const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const section = chatOf(target);
    if (!section) continue;
    if (isIntersecting) inSight.add(section.dataset.chat);
    else inSight.delete(section.dataset.chat);
    settle(section);
  }
});

function watch(section) {
  observer.observe(log(section));
}

document.addEventListener("visibilitychange", () => sections().forEach(settle));

function settle(section) {
  const { unread, last } = room(section).dataset;
  const isRead = document.visibilityState === "visible" && isOpen(section) && inSight.has(section.dataset.chat);
  if (!isRead || !Number(unread) || !section.dataset.seenUrl) return;
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value;
  if (!token) return;
  const body = new URLSearchParams({ number: last, csrfmiddlewaretoken: token });
  room(section).dataset.unread = "0";
  fetch(section.dataset.seenUrl, { method: "POST", body }).catch(() => {});
}

/* The marks stay until the page is left or something newer comes: what was new can be found. */
function tell(section, unread) {
  if (!unread) return;
  const words = room(section).dataset.mark;
  const badge = section.querySelector("[data-chat-badge]");
  badge.textContent = words;
  badge.hidden = false;
  const mark = document.querySelector("[data-chat-mark]");
  if (!mark || section.dataset.chat !== "players") return;
  mark.querySelector("[data-chat-mark-words]").textContent = words;
  mark.hidden = false;
}

function unmark(section) {
  section.querySelector("[data-chat-badge]").hidden = true;
  const mark = document.querySelector("[data-chat-mark]");
  if (mark && section.dataset.chat === "players") mark.hidden = true;
}

/* Who writes has read. */
document.addEventListener("input", ({ target }) => {
  if (target.matches?.("[data-chat-text]")) unmark(chatOf(target));
});

/* The mark above the board leads down to the messages. */
document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-chat-mark-words]")) return;
  const section = document.querySelector("[data-chat=players]");
  if (!section) return;
  event.preventDefault();
  section.querySelector("details").open = true;
  section.scrollIntoView({ block: "center" });
  toEnd(section);
  (section.querySelector("[data-chat-text]") ?? section.querySelector("summary")).focus({ preventScroll: true });
  unmark(section);
});

for (const section of sections()) {
  toEnd(section);
  watch(section);
  section.querySelector("details").addEventListener("toggle", () => {
    toEnd(section);
    settle(section);
  });
}
