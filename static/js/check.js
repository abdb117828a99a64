// Checks the deal of a finished game on its own page: fetches the record, and shows which of the
// texts that stand on the page are true. All computing is in verify-shuffle.mjs.

import { NothingToCheck, hasWebCrypto, recompute, seedOf, verifyRecord } from "./verify-shuffle.mjs";

const NOTES = "shuffles";

const page = document.querySelector("[data-check]");
if (page) await check();

async function check() {
  page.querySelector("[data-no-script]").hidden = true;
  sum("busy");
  page.querySelector("[data-own-hash]").hidden = hasWebCrypto();
  const record = await fetched(page.dataset.check);
  if (record === null) return sum("away");
  try {
    const checked = await verifyRecord(record);
    await showNumbers(record);
    const verdicts = { ...checked };
    if (page.querySelector("[data-step=memory]")) verdicts.memory = remembered(record.shuffle);
    for (const step of page.querySelectorAll("[data-step]")) tell(step, verdicts[step.dataset.step]);
    sum(Object.values(verdicts).includes(false) ? "no" : "yes");
  } catch (error) {
    if (!(error instanceof NothingToCheck)) throw error;
    page.querySelector("[data-complaint]").textContent = error.message;
    sum("bad");
  }
}

async function fetched(url) {
  try {
    const response = await fetch(url, { cache: "no-store" });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function sum(which) {
  for (const line of page.querySelectorAll("[data-sum]")) line.hidden = line.dataset.sum !== which;
}

// A verdict is true, false, or undefined where nothing could be compared.
function tell(step, verdict) {
  const which = verdict === undefined ? "open" : verdict ? "yes" : "no";
  step.hidden = false;
  for (const line of step.querySelectorAll("[data-verdict]")) {
    line.hidden = line.dataset.verdict !== which;
  }
}

// What site.js noted when an offer was made or accepted here.
function remembered({ commitment, nonces }) {
  try {
    const notes = JSON.parse(localStorage.getItem(NOTES) ?? "[]");
    const note = notes.filter(({ commitments }) => commitments.includes(commitment));
    if (note.length > 0) return note.some(({ nonce }) => nonces.includes(nonce));
  } catch {
    // No storage, or somebody else's: then nothing is remembered.
  }
  return undefined;
}

async function showNumbers(record) {
  const { commitment, secret, nonces, round } = record.shuffle;
  const seed = await seedOf(secret, nonces, round);
  const numbers = { commitment, secret, maker: nonces[0], accepter: nonces[1], round, seed };
  for (const [key, number] of Object.entries(numbers)) fill(`[data-number=${key}]`, number);
  const shuffled = await recompute({ ...record, ...record.shuffle });
  for (const code of document.querySelectorAll("[data-dealt]")) {
    const key = code.dataset.dealt;
    code.textContent = record[key].join(" ");
    fill(`[data-shuffled=${key}]`, shuffled[key].join(" "));
  }
  for (const part of document.querySelectorAll("[data-computed]")) part.hidden = false;
}

function fill(selector, text) {
  document.querySelector(selector).textContent = text;
}
