/* Steps through a game, finished or not, without loading the page anew: buttons, log, slider and keys all
   lead to an address, which is fetched through htmx. Without this file, links and the slider's
   form lead to the same addresses. A key that is held runs ahead of the answers. */

let wanted = null;

const replay = () => document.querySelector("#replay");
const number = (name) => Number(replay().dataset[name]);

document.documentElement.classList.add("has-script");

function go(step) {
  const part = replay();
  const to = Math.min(Math.max(step, number("first")), number("steps"));
  if (!window.htmx || to === (wanted ?? number("step"))) return;
  wanted = to;
  const url = `${part.dataset.url}${to}/${part.dataset.query}`;
  window.htmx.ajax("GET", url, {
    source: part,
    target: part,
    swap: "outerMorph",
    push: "true",
    replay: { url },
  });
}

/* A game that goes on is fetched at the step that is shown; what is new then is told. */
function listenHere() {
  const live = document.querySelector("[data-replay-live]");
  const { url, step, query } = replay().dataset;
  if (live) live.dataset.url = `${url}${step}/${query}`;
}

const place = () => wanted ?? number("step");

const MOVES = {
  first: () => number("first"),
  previous: () => place() - 1,
  next: () => place() + 1,
  last: () => number("steps"),
};

function keyOf(event) {
  const isRtl = document.documentElement.dir === "rtl";
  return {
    ArrowLeft: isRtl ? "next" : "previous",
    ArrowRight: isRtl ? "previous" : "next",
    Home: "first",
    End: "last",
  }[event.key];
}

document.addEventListener("keydown", (event) => {
  if (!replay() || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea, summary")) return;
  if (event.key === "Escape") replay().querySelector("[data-now]")?.click();
  const move = keyOf(event);
  if (!move || !window.htmx) return;
  event.preventDefault();
  go(MOVES[move]());
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("#replay a[data-move][href], #replay a[data-to]");
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!link || !isPlain || event.altKey || !window.htmx) return;
  event.preventDefault();
  go(link.dataset.to === undefined ? MOVES[link.dataset.move]() : Number(link.dataset.to));
});

document.addEventListener("input", (event) => {
  if (event.target.id === "replay-step") go(Number(event.target.value));
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-replay-form]") || !window.htmx) return;
  event.preventDefault();
  go(Number(event.target.elements.step.value));
});

/* An answer that is no step (the game is private and the session has ended, say) is a page of
   its own: it is opened, never put inside this one. */
document.addEventListener("htmx:before:swap", (event) => {
  const { ctx, tasks } = event.detail;
  if (!ctx.replay) return;
  const main = tasks.find((task) => task.type === "main");
  if (main?.fragment.querySelector("#replay")) return;
  event.preventDefault();
  window.location.assign(ctx.replay.url);
});

document.addEventListener("htmx:error", (event) => {
  if (event.detail.ctx?.replay) window.location.assign(event.detail.ctx.replay.url);
});

document.addEventListener("htmx:after:swap", ({ detail }) => {
  const part = replay();
  if (!part) return;
  const shown = number("step");
  const isThere = wanted === null || wanted === shown;
  if (isThere) {
    wanted = null;
    part.querySelector("#replay-step").value = shown;
    const voice = document.querySelector("[data-replay-voice]");
    const news = detail.ctx.live && part.querySelector("[data-news]");
    voice.textContent = (news || part.querySelector("[data-told]")).textContent;
    listenHere();
  }
  showCurrent();
});

/* Brings the marked line into the log's own view; the page itself stays where it is. */
function showCurrent() {
  const log = document.querySelector("#replay-log");
  const line = log?.querySelector("[aria-current]");
  if (!line) return;
  const middle = line.offsetTop - log.clientHeight / 2 + line.offsetHeight / 2;
  log.scrollTop = Math.max(0, middle);
}

showCurrent();
