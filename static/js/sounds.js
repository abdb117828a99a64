/* Sounds at the board, for who switched them on: a card is laid, something is decided, it is your
   turn. They are made here, and only tell what the page shows as well. A browser plays nothing
   before the first tap or key on the page; then neither does this. */

const SOUNDS = {
  laid: [[180, 0, 0.09, "triangle"]],
  decided: [
    [392, 0, 0.16, "sine"],
    [523, 0.12, 0.26, "sine"],
  ],
  turn: [
    [587, 0, 0.14, "sine"],
    [440, 0.14, 0.3, "sine"],
  ],
};
const LOUDNESS = 0.16;
const AFTER_S = 0.45;

let context = null;

const board = () => document.querySelector("#board");
const isOn = () =>
  document.querySelector("[data-sounds]")?.getAttribute("aria-pressed") === "true";

function look() {
  const { version, toAct, sound } = board().dataset;
  return { version: Number(version), isToAct: toAct !== undefined, sound };
}

let shown = board() && look();

function wake() {
  if (!isOn()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wake);

function play(name, wait = 0) {
  if (!isOn() || context?.state !== "running") return;
  for (const [pitch, after, lasts, type] of SOUNDS[name]) {
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    const start = context.currentTime + wait + after;
    tone.type = type;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(LOUDNESS, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + lasts);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + lasts);
  }
  document.dispatchEvent(new CustomEvent("board:sound", { detail: name }));
}

document.addEventListener("htmx:after:swap", ({ detail }) => {
  if (detail.ctx.target?.id === "sounds") {
    wake();
    context?.resume().then(() => play("laid"));
  }
  if (detail.ctx.target?.id !== "board" || !board()) return;
  const [before, now] = [shown, look()];
  shown = now;
  if (!before || now.version <= before.version) return;
  if (SOUNDS[now.sound]) play(now.sound);
  if (now.isToAct && !before.isToAct) play("turn", AFTER_S);
});
