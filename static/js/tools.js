/* How a board is seen: focus, which leaves the board alone, and keys of one letter. What is chosen
   is kept in this browser. Without this file neither is there, and nothing else is missing. */

const FOCUS = "board-focus";
const KEYS_OFF = "board-keys-off";

const root = document.documentElement;
const button = document.querySelector("[data-focus-mode]");
const keys = document.querySelector("#keys-panel");
const keysOff = document.querySelector("[data-keys-off]");

function read(name) {
  try {
    return localStorage.getItem(name) === "yes";
  } catch {
    return false;
  }
}

function keep(name, isOn) {
  try {
    localStorage.setItem(name, isOn ? "yes" : "no");
  } catch {
    // Without storage it holds for this page.
  }
}

function setFocus(isOn) {
  root.classList.toggle("is-focused", isOn);
  button.setAttribute("aria-pressed", String(isOn));
  const state = button.querySelector("[data-on]");
  state.textContent = isOn ? state.dataset.on : state.dataset.off;
}

function toggleFocus() {
  const isOn = !root.classList.contains("is-focused");
  setFocus(isOn);
  keep(FOCUS, isOn);
}

button.hidden = false;
button.addEventListener("click", toggleFocus);
setFocus(read(FOCUS));

keysOff.parentElement.hidden = false;
keysOff.checked = read(KEYS_OFF);
keysOff.addEventListener("change", () => keep(KEYS_OFF, keysOff.checked));

function press(selector) {
  document.querySelector(selector)?.click();
}

const DOES = {
  f: toggleFocus,
  s: () => press("#sounds-switch"),
  b: () => press("[data-look-back]"),
  n: () => press("[data-next-waiting]"),
  "?": () => {
    keys.open = !keys.open;
    keys.querySelector("summary").focus();
  },
};

const WRITING = "textarea, select, input:not([type=radio], [type=checkbox], [type=range])";

document.addEventListener("keydown", (event) => {
  const isCombined = event.ctrlKey || event.metaKey || event.altKey;
  if (isCombined || event.repeat || event.defaultPrevented) return;
  if (keysOff.checked || event.target.closest?.(WRITING)) return;
  if (!Object.hasOwn(DOES, event.key)) return;
  event.preventDefault();
  DOES[event.key]();
});
