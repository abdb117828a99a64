/* Counts down what the site says is left. <… data-left="seconds" data-template="{} left"> is told
   anew from what stood there when it came, never from what the browser's own clock shows, and never
   below nothing; with data-run="seconds" it stops after so many, when a pause begins. Whatever the
   page fetches brings the site's times again: parts with the same data-clock are exchanged, also
   where the rest of the fetch was not needed ("live:looked", live.js). */

const seen = new WeakMap();

function since(element) {
  if (!seen.has(element)) seen.set(element, Date.now());
  return Math.max(0, (Date.now() - seen.get(element)) / 1000);
}

function tick() {
  for (const element of document.querySelectorAll("[data-left]")) {
    const { left, run, template } = element.dataset;
    const passed = Math.min(since(element), run === undefined ? Infinity : Number(run));
    const text = template.replace("{}", lasting(Math.max(0, Number(left) - passed)));
    if (element.textContent !== text) element.textContent = text;
  }
}

function lasting(seconds) {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days) return told([days, "day"], [hours % 24, "hour"]);
  if (hours) return told([hours, "hour"], [minutes % 60, "minute"]);
  if (minutes) return told([minutes, "minute"], [Math.floor(seconds % 60), "second"]);
  return measure(Math.floor(seconds), "second");
}

function told([most, unit], [rest, smaller]) {
  const first = measure(most, unit);
  return rest ? `${first}, ${measure(rest, smaller)}` : first;
}

function measure(n, unit) {
  const language = document.documentElement.lang;
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(n);
}

document.addEventListener("live:looked", ({ detail }) => {
  for (const shown of document.querySelectorAll("#board [data-clock]")) {
    const next = detail.querySelector(`[data-clock="${shown.dataset.clock}"]`);
    if (next) shown.replaceWith(document.importNode(next, true));
  }
  tick();
});

document.addEventListener("htmx:after:swap", tick);

tick();
setInterval(tick, 1000);
