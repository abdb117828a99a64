// What every page needs: menus that close by Escape and by a click elsewhere, the browser's time
// zone for the registration form, the usual number of games of an offer, a line on what is picked in
// a list, and what the browser adds to a shuffle. All of it works without this file too.

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (menu !== except) menu.open = false;
  }
}

document.addEventListener("click", (event) => {
  closeMenus(event.target.closest("details[data-menu]"));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.querySelector("details[data-menu][open]");
  if (!open) return;
  event.stopImmediatePropagation(); // the key has done its work: a plan on the board stays
  open.open = false;
  open.querySelector("summary").focus();
});

// A menu that would widen the page opens to the other side. Toggles do not bubble.
document.addEventListener(
  "toggle",
  (event) => {
    if (!event.target.matches?.("details.player-menu")) return;
    event.target.classList.remove("menu--turned");
    if (!event.target.open) return;
    const list = event.target.querySelector(".menu__list").getBoundingClientRect();
    const isOut = list.right > document.documentElement.clientWidth || list.left < 0;
    event.target.classList.toggle("menu--turned", isOut);
  },
  true,
);

for (const field of document.querySelectorAll("input[data-time-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}

// An offer's number of games follows the game that is picked, until its maker chose a number.
for (const field of document.querySelectorAll("select[data-usual-games]")) {
  const usual = JSON.parse(field.dataset.usualGames);
  const picked = () => field.form.querySelector("input[name='ruleset']:checked")?.value;
  let isChosen = String(usual[picked()]) !== field.value;
  field.addEventListener("change", () => (isChosen = true));
  field.form.addEventListener("change", (event) => {
    if (event.target.name === "ruleset" && !isChosen) field.value = usual[picked()];
  });
}

// What is picked in a list is explained beneath it.
for (const field of document.querySelectorAll("select[data-summaries]")) {
  const summaries = JSON.parse(field.dataset.summaries);
  const line = field.form.querySelector("[data-summary]");
  const explain = () => {
    line.textContent = summaries[field.value] ?? "";
    line.hidden = false;
  };
  field.addEventListener("change", explain);
  window.addEventListener("pageshow", explain);
  explain();
}

// A nonce is drawn when the form is sent, after its commitments were shown: docs/spec/shuffle.md,
// 3. Both are noted for the page that checks the deal (check.js), the last hundred of them.
document.addEventListener(
  "submit",
  (event) => {
    const field = event.target.querySelector("input[data-nonce]");
    if (!field) return;
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    note({ commitments: field.dataset.nonce.split(" "), nonce: field.value });
  },
  { capture: true },
);

function note(entry) {
  try {
    const notes = JSON.parse(localStorage.getItem("shuffles") ?? "[]");
    localStorage.setItem("shuffles", JSON.stringify([...notes, entry].slice(-100)));
  } catch {
    // Without storage nothing is noted, and the check says so.
  }
}
