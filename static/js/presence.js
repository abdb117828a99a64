/* For who is logged in, on every page: how many games wait, in the page's name and on its icon;
   and a word to the site that somebody is here, so that it sends no notice about what they see.

   <body data-counter="/ws/…" data-here="/…">; the icon's other picture is its data-waiting.
   The socket stays open in hidden tabs: that is where the number is looked at. */

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
const HERE_EVERY_MS = 20_000;
const USED_FOR_MS = 120_000;
const LAST_CODE_TO_RETRY = 3999;

const { counter, here } = document.body.dataset;
if (counter) {
  count();
  tellHere();
}

/* --- the counter ------------------------------------------------------------------------- */

function count() {
  let n = 0;
  let isKnown = false;
  let attempts = 0;
  const title = document.querySelector("head > title");
  const icon = document.querySelector("link[rel='icon']");
  const plainIcon = icon.href;

  // Fragments bring a name of their own: the number is put before that too.
  const show = () => {
    const bare = document.title.replace(/^\(\d+\) /, "");
    const named = n ? `(${n}) ${bare}` : bare;
    if (isKnown && document.title !== named) document.title = named;
  };
  new MutationObserver(show).observe(title, { childList: true, characterData: true, subtree: true });

  const hear = ({ data }) => {
    n = JSON.parse(data).n ?? 0;
    isKnown = true;
    show();
    icon.href = n ? icon.dataset.waiting : plainIcon;
    if (n) navigator.setAppBadge?.(n).catch(() => {});
    else navigator.clearAppBadge?.().catch(() => {});
  };

  const connect = () => {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${counter}`);
    socket.addEventListener("open", () => (attempts = 0));
    socket.addEventListener("message", hear);
    socket.addEventListener("close", ({ code }) => {
      if (code > LAST_CODE_TO_RETRY) return;
      const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempts);
      attempts += 1;
      setTimeout(connect, longest * (0.5 + Math.random() / 2));
    });
    window.addEventListener("pagehide", () => socket.close(), { once: true });
  };
  connect();
}

/* --- who is here -------------------------------------------------------------------------- */

/* Being connected is not being here: the page must be in sight, and was used a moment ago. */
function tellHere() {
  let usedAt = performance.now();
  let toldAt = -HERE_EVERY_MS;

  const tell = () => {
    const now = performance.now();
    const isHere = document.visibilityState === "visible" && now - usedAt < USED_FOR_MS;
    if (!isHere || now - toldAt < HERE_EVERY_MS) return;
    toldAt = now;
    const token = document.querySelector("input[name='csrfmiddlewaretoken']")?.value ?? "";
    const body = new URLSearchParams({ csrfmiddlewaretoken: token });
    const board = document.querySelector("[data-socket^='/ws/games/']")?.dataset.socket;
    if (board) body.set("game", board.split("/")[3]);
    fetch(here, { method: "POST", body, redirect: "manual" }).catch(() => {});
  };

  for (const kind of ["pointerdown", "pointermove", "keydown", "scroll", "touchstart"]) {
    const used = () => {
      usedAt = performance.now();
      tell();
    };
    document.addEventListener(kind, used, { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", tell);
  setInterval(tell, HERE_EVERY_MS);
  tell();
}
