/* Keeps a part of a page as new as the site: listens to a socket that says "this is at version
   n now", and fetches that part again through htmx where it is older.

   <div data-socket="/ws/…" data-url="/…"> is filled with what the address answers to htmx; with
   data-target="#part" that other element is exchanged instead. A part that carries data-version
   (and data-status) is only exchanged for a newer one, so what a player has begun stays; with
   data-beyond it is looked at whenever the socket opens, for that can change without a version.
   A part with data-since tells what is new since a version: it is asked for with that version. A
   hidden page says that nobody looks, and tells its reader what came meanwhile.
   A part with data-waiting tells of other boards, and is looked at when one of those changes.
   A page that is looked at asks now and then what is new: news can get lost on the way, and a
   socket that does not answer is dead, though it looks open.
   What is told of a chat is handed on as the event live:chat (chat.js).
   Where the part holds an element with data-listen="/ws/…", it is that socket from then on.
   The words stand in the page: <p data-live-banner data-offline="…" data-stopped="…"
   data-logged-out="…" hidden>, with a place for them and a link to log in. */

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const ASK_EVERY_MS = 60_000;
const QUESTION = "?";
const LAST_CODE_TO_RETRY = 3999;
const SESSION_ENDED = 4401;

const banner = document.querySelector("[data-live-banner]");

function tell(kind) {
  if (!banner) return;
  banner.querySelector("[data-live-words]").textContent = kind ? banner.dataset[kind] : "";
  banner.querySelector("[data-live-login]").hidden = kind !== "loggedOut";
  banner.hidden = !kind;
}

/* Says whether one look at a part is newer than another; unknown versions always are. */
function isNewer(next, shown) {
  if (shown.version === undefined || next.version === undefined) return true;
  const [told, known] = [Number(next.version), Number(shown.version)];
  if (told !== known) return told > known;
  return ["status", "beyond", "waiting"].some(
    (key) => next[key] !== undefined && String(next[key]) !== String(shown[key]),
  );
}

class Live {
  constructor(element) {
    this.element = element;
    this.target = element.dataset.target;
    this.attempts = 0;
    this.sent = new Set();
    this.putOff = null;
    this.isStopped = false;
    this.connect();
    setInterval(() => this.ask(), ASK_EVERY_MS);
    document.addEventListener("visibilitychange", () => this.lookAgain());
    window.addEventListener("focus", () => this.lookAgain());
    window.addEventListener("online", () => this.reconnect());
    window.addEventListener("offline", () => this.isStopped || tell("offline"));
    window.addEventListener("pageshow", (event) => event.persisted && this.lookAgain());
    window.addEventListener("pagehide", () => this.socket?.close());
    document.addEventListener("htmx:before:request", ({ detail }) => this.send(detail.ctx));
    document.addEventListener("htmx:finally:request", ({ detail }) => this.receive(detail.ctx));
    element.addEventListener("htmx:before:swap", (event) => this.beforeSwap(event));
    element.addEventListener("htmx:finally:request", ({ detail }) => {
      this.catchUp(detail.ctx);
      this.follow();
    });
    element.addEventListener("htmx:error", ({ detail }) => detail.ctx?.response || this.drop());
  }

  part() {
    return this.target ? document.querySelector(this.target) : this.element;
  }

  connect() {
    clearTimeout(this.timer);
    if (this.isStopped || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.element.dataset.socket}`);
    this.socket = socket;
    this.isUnanswered = false;
    socket.addEventListener("open", () => {
      this.attempts = 0;
      tell("");
      document.dispatchEvent(new Event("live:open"));
    });
    socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => this.socket === socket && this.lose(event.code));
  }

  /* A network that was away can leave a socket that looks open and is dead: take a new one. */
  reconnect() {
    this.forget();
    this.connect();
  }

  drop() {
    this.forget();
    this.lose();
  }

  ask() {
    if (document.visibilityState === "hidden" || this.socket?.readyState !== WebSocket.OPEN) return;
    if (this.isUnanswered) {
      this.reconnect();
      return;
    }
    this.isUnanswered = true;
    this.socket.send(QUESTION);
  }

  forget() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  hear(frame) {
    this.isUnanswered = false;
    if (frame.type === "here") return;
    if (frame.type === "chat") {
      document.dispatchEvent(new CustomEvent("live:chat", { detail: frame }));
      return;
    }
    const part = this.part();
    if (!part) return;
    if (frame.type === "waiting") {
      if ("waiting" in part.dataset) this.fetch(false);
      return;
    }
    this.heard = frame;
    const isDue = frame.refresh || frame.clock || "beyond" in part.dataset || isNewer(frame, part.dataset);
    if (isDue) this.fetch(frame.refresh);
  }

  /* From 4000 on a code means "do not come back"; all others may be a restart or a tunnel. */
  lose(code = 0) {
    if (this.isStopped) return;
    if (code > LAST_CODE_TO_RETRY) {
      this.isStopped = true;
      tell(code === SESSION_ENDED ? "loggedOut" : "stopped");
      return;
    }
    tell("offline");
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.attempts);
    this.attempts += 1;
    this.timer = setTimeout(() => this.connect(), longest * (0.5 + Math.random() / 2));
  }

  lookAgain() {
    if (document.visibilityState === "hidden" || this.isStopped) return;
    this.connect();
    this.fetch(false);
  }

  fetch(isForced) {
    const swap = this.target ? "outerHTML" : "innerHTML";
    const source = this.element;
    const target = this.target || this.element;
    window.htmx?.ajax("GET", this.address(), { source, target, swap, live: { isForced } });
  }

  address() {
    const url = new URL(this.element.dataset.url, location.href);
    const { since, version } = this.part()?.dataset ?? {};
    const isHidden = document.visibilityState === "hidden";
    if (since || (isHidden && version)) url.searchParams.set("since", since || version);
    if (isHidden) url.searchParams.set("away", "");
    return url.pathname + url.search;
  }

  /* What a visitor has sent from the part is answered there, whatever is fetched meanwhile: htmx
     drops an answer whose place is gone. A fetch that would take the place is put off until then. */
  send(ctx) {
    if (!ctx.live && ctx.target && ctx.target === this.part()) this.sent.add(ctx);
  }

  receive(ctx) {
    if (!this.sent.delete(ctx) || this.sent.size || !this.putOff) return;
    const { isForced } = this.putOff;
    this.putOff = null;
    this.fetch(isForced);
  }

  /* htmx drops an answer whose part was exchanged meanwhile, as by the answer to one's own turn. */
  catchUp(ctx) {
    const part = this.part();
    const isDropped = part && this.heard && !ctx?.target?.isConnected;
    if (isDropped && isNewer(this.heard, part.dataset)) this.fetch(false);
  }

  /* A part that goes on elsewhere, as a match in its next game, says where to listen. */
  follow() {
    const address = this.part()?.querySelector("[data-listen]")?.dataset.listen;
    if (!address || address === this.element.dataset.socket) return;
    this.element.dataset.socket = address;
    this.reconnect();
  }

  /* A fetch that brings nothing newer, an error or a whole page leaves the part as it is. */
  beforeSwap(event) {
    const { ctx, tasks } = event.detail;
    if (!ctx.live || ctx.hx?.retarget) return;
    const main = tasks.find((task) => task.type === "main");
    const next = this.target ? main?.fragment.querySelector(this.target) : main?.fragment;
    const part = this.part();
    const isGood = ctx.response.status < 400 && next && part && !/<html[\s>]/i.test(ctx.text);
    const isNew = isGood && (ctx.live.isForced || isNewer(next.dataset ?? {}, part.dataset));
    if (isNew && this.sent.size) {
      this.putOff = ctx.live;
      event.preventDefault();
    } else if (!isNew) {
      event.preventDefault();
      if (isGood) document.dispatchEvent(new CustomEvent("live:looked", { detail: next }));
    }
  }
}

for (const element of document.querySelectorAll("[data-socket]")) new Live(element);
