// Copies what stands in a field, where the browser can; without this file it is marked by hand.

for (const button of document.querySelectorAll("button[data-copy]")) show(button);

document.addEventListener("htmx:after:swap", () => {
  for (const button of document.querySelectorAll("button[data-copy]")) show(button);
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  await navigator.clipboard.writeText(field.value);
  button.textContent = button.dataset.copied;
});

document.addEventListener("focusin", (event) => {
  if (event.target.matches("input[data-select]")) event.target.select();
});

// The clipboard is there on https and on the own machine only.
function show(button) {
  button.hidden = !navigator.clipboard;
}
