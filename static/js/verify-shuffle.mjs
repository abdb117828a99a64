/**
 * Checks a committed shuffle, `marchstone-shuffle/1` (docs/spec/shuffle.md), of a finished game.
 *
 * In a browser:   import { verifyRecord } from "./verify-shuffle.mjs";
 * On a terminal:  node verify-shuffle.mjs RECORD.json     ("-" reads standard input)
 *
 * The exit code is 0 where everything follows from the published secret, 1 where something
 * differs, 2 where there is nothing to check or the record is bad. The deal is checked, not the
 * play: that the actions keep the rules is for `python -m games.engine verify`.
 *
 * Hashes come from Web Crypto; pages without https have none, and then from `ownSha256` below.
 */

export const SCHEME = "marchstone-shuffle/1";
const RECORD_FORMAT = "marchstone-record/1";
const ascii = new TextEncoder();

/** Says why a record cannot be checked. */
export class NothingToCheck extends Error {}

// SHA-256 (FIPS 180-4) and HMAC (RFC 2104).

const FRACTIONS = 2 ** 32;

/** The first n prime numbers. */
function primes(n) {
  const found = [];
  for (let candidate = 2; found.length < n; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}

/** The first 32 bits of the fraction of a number's root, found exactly, in whole numbers. */
function rootBits(number, degree) {
  const scaled = BigInt(number) << BigInt(32 * degree);
  let low = 0n;
  let high = BigInt(number) << 32n;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (middle ** BigInt(degree) <= scaled) low = middle;
    else high = middle - 1n;
  }
  return Number(low % BigInt(FRACTIONS));
}

const INITIAL = primes(8).map((prime) => rootBits(prime, 2));
const ROUND_CONSTANTS = primes(64).map((prime) => rootBits(prime, 3));

const rotated = (word, bits) => (word >>> bits) | (word << (32 - bits));

/** Pads a message to whole blocks of 64 bytes. */
function padded(message) {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor((message.length * 8) / FRACTIONS));
  view.setUint32(bytes.length - 4, (message.length * 8) % FRACTIONS);
  return view;
}

/** The 64 words that one block stretches to. */
function schedule(view, offset) {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(offset + 4 * i);
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15];
    const late = words[i - 2];
    const s0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const s1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[i] = words[i - 16] + s0 + words[i - 7] + s1;
  }
  return words;
}

/** Mixes one block into the eight words of the state. */
function compress(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + s1 + choice + ROUND_CONSTANTS[i] + words[i]) | 0;
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (s0 + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
}

/** SHA-256 without Web Crypto: bytes in, 32 bytes out. */
export function ownSha256(message) {
  const state = Uint32Array.from(INITIAL);
  const view = padded(message);
  for (let offset = 0; offset < view.byteLength; offset += 64) {
    compress(state, schedule(view, offset));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setUint32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

/** Says whether there is Web Crypto here. */
export const hasWebCrypto = () => globalThis.crypto?.subtle !== undefined;

/** SHA-256 of bytes, by Web Crypto where there is one. */
export async function sha256(message) {
  if (!hasWebCrypto()) return ownSha256(message);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", message));
}

function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** HMAC-SHA256 with a key of at most 64 bytes. */
async function hmacSha256(key, message) {
  const block = joined(key, new Uint8Array(64 - key.length));
  const inner = await sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

const fromHex = (hex) => Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

// From a secret to a deal: the steps of docs/spec/shuffle.md.

/** Step 2: the commitment to a secret, both in hex. */
export async function commitmentTo(secret) {
  return toHex(await sha256(joined(ascii.encode(`${SCHEME}\n`), fromHex(secret))));
}

/** Step 4: the seed of a round, from the secret, the maker's and the accepter's nonces; in hex. */
export async function seedOf(secret, nonces, round) {
  const message = `marchstone-deal/1\n${nonces[0]}\n${nonces[1]}\n${round}`;
  return toHex(await hmacSha256(fromHex(secret), ascii.encode(message)));
}

/** Step 5: gives a function that gives the next 32-bit word of a seed's stream. */
export function wordsOf(seed) {
  let nextBlock = 0;
  let words = [];
  return async () => {
    if (words.length === 0) {
      const counter = new DataView(new ArrayBuffer(4));
      counter.setUint32(0, nextBlock++);
      const block = await sha256(joined(seed, new Uint8Array(counter.buffer)));
      const view = new DataView(block.buffer);
      words = Array.from({ length: 8 }, (_, i) => view.getUint32(4 * i));
    }
    return words.shift();
  };
}

/** Step 5: a number from 0 to n - 1. Words that would make some numbers likelier are left out. */
export async function numberBelow(n, nextWord) {
  const limit = Math.floor(2 ** 32 / n) * n;
  let word = await nextWord();
  while (word >= limit) word = await nextWord();
  return word % n;
}

/** Step 7: a list shuffled with numbers from `below`; the result is read top first. */
async function shuffled(list, below) {
  const cards = [...list];
  for (let i = cards.length - 1; i > 0; i--) {
    const j = await below(i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

const product = (firsts, seconds) => [...firsts].flatMap((a) => [...seconds].map((b) => a + b));
const CLAN_CARDS = product("ROYGBP", "123456789");
const TACTICS_CARDS = ["JA", "JB", "SP", "SB", "BB", "MF", "RE", "ST", "BA", "TR"];
const CHRONICLERS = ["C1", "C2"];
const BRIDGE_CARDS = [...product("HBLA", "789XUOKA"), ...CHRONICLERS];

async function dealSchottenTotten(ruleset, below) {
  const piles = { deck: await shuffled(CLAN_CARDS, below) };
  if (ruleset.tactics) piles.tactics_deck = await shuffled(TACTICS_CARDS, below);
  return piles;
}

async function dealThreeBridges(_ruleset, below) {
  const turnedUp = await shuffled(BRIDGE_CARDS, below);
  const bridges = turnedUp.filter((card) => !CHRONICLERS.includes(card)).slice(0, 3);
  const rest = BRIDGE_CARDS.filter((card) => !bridges.includes(card));
  return { bridges, deck: await shuffled(rest, below) };
}

const isEachOnce = (pile, cards) =>
  pile.length === cards.length && cards.every((card) => pile.includes(card));

// How long each pile of a ruleset is, and whether piles so long hold each card where it may be.
const TITLES = {
  "schotten-totten": {
    deal: dealSchottenTotten,
    hasRuleset: (ruleset) =>
      Object.keys(ruleset).sort().join() === "claims,tactics" &&
      ["after_play", "start_of_turn", "automatic"].includes(ruleset.claims) &&
      typeof ruleset.tactics === "boolean",
    piles: (ruleset) =>
      ruleset.tactics
        ? { deck: CLAN_CARDS.length, tactics_deck: TACTICS_CARDS.length }
        : { deck: CLAN_CARDS.length },
    holds: ({ deck, tactics_deck: tactics }) =>
      isEachOnce(deck, CLAN_CARDS) && (!tactics || isEachOnce(tactics, TACTICS_CARDS)),
  },
  "three-bridges": {
    deal: dealThreeBridges,
    hasRuleset: (ruleset) => Object.keys(ruleset).length === 0,
    piles: () => ({ bridges: 3, deck: BRIDGE_CARDS.length - 3 }),
    holds: ({ bridges, deck }) =>
      isEachOnce([...bridges, ...deck], BRIDGE_CARDS) &&
      !bridges.some((card) => CHRONICLERS.includes(card)),
  },
};

/**
 * Steps 2 and 4 to 7: all that follows from a secret, as `{commitment, lot, …piles}`. `lot` is
 * the seat that starts where the lot decides; secret and nonces are in hex, rounds count from 1.
 */
export async function recompute({ game, ruleset, secret, nonces, round }) {
  const nextWord = wordsOf(fromHex(await seedOf(secret, nonces, round)));
  const below = (n) => numberBelow(n, nextWord);
  const lot = await below(2);
  const piles = await TITLES[game].deal(ruleset, below);
  return { commitment: await commitmentTo(secret), lot, ...piles };
}

// Step 8: a record against what follows from its secret.

function demand(condition, complaint) {
  if (!condition) throw new NothingToCheck(complaint);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isHex = (value, bytes) =>
  typeof value === "string" && value.length === 2 * bytes && /^[0-9a-f]+$/.test(value);
const isPile = (value) =>
  Array.isArray(value) && value.every((card) => typeof card === "string");

function demandDeal(record) {
  demand(isObject(record), "a record must be an object");
  demand(record.format === RECORD_FORMAT, `format must be "${RECORD_FORMAT}"`);
  demand(Object.hasOwn(TITLES, record.game), "unknown game");
  const title = TITLES[record.game];
  demand(isObject(record.ruleset) && title.hasRuleset(record.ruleset), "unknown ruleset");
  demand(record.first === 0 || record.first === 1, "first must be 0 or 1");
  const sizes = title.piles(record.ruleset);
  for (const key of ["deck", "tactics_deck", "bridges"]) {
    const isExpected = Object.hasOwn(sizes, key);
    const complaint = `${key} is ${isExpected ? "missing" : "out of place"}`;
    demand(Object.hasOwn(record, key) === isExpected, complaint);
    demand(!isExpected || isPile(record[key]), `${key} must be a list of cards`);
    demand(!isExpected || record[key].length === sizes[key], `${key} must hold ${sizes[key]} cards`);
  }
  demand(title.holds(record), "the deal must hold each card once, in its pile");
  demand(Array.isArray(record.actions), "actions must be a list");
}

function demandShuffle(shuffle) {
  demand(shuffle !== undefined, "the record has no shuffle: there is nothing to check");
  demand(isObject(shuffle), "shuffle must be an object");
  demand(shuffle.scheme === SCHEME, `shuffle: scheme must be "${SCHEME}"`);
  demand(shuffle.secret !== undefined, "shuffle: the secret has not been published");
  demand(isHex(shuffle.secret, 32), "shuffle: secret must be 32 bytes in lower-case hex");
  demand(isHex(shuffle.commitment, 32), "shuffle: commitment must be 32 bytes in lower-case hex");
  const { nonces, round, starter } = shuffle;
  demand(Array.isArray(nonces) && nonces.length === 2, "shuffle: nonces must be two");
  const areHex = nonces.every((nonce) => isHex(nonce, 16));
  demand(areHex, "shuffle: each nonce must be 16 bytes in lower-case hex");
  demand(Number.isSafeInteger(round) && round >= 1, "shuffle: round must be a number from 1");
  const isStarter = ["lot", "agreed", "rule"].includes(starter);
  demand(isStarter, "shuffle: starter must be lot, agreed or rule");
  demand(starter !== "rule" || round > 1, "shuffle: starter is rule in later rounds only");
}

/**
 * Checks a finished record; gives what was checked, in order, each with whether it is so:
 * `{commitment: true, deck: true, …}`. `first` is checked where the lot decided who starts.
 * Throws `NothingToCheck` for a record that is bad or has no published secret.
 */
export async function verifyRecord(record) {
  demandDeal(record);
  demandShuffle(record.shuffle);
  const { game, ruleset, shuffle } = record;
  const { secret, nonces, round } = shuffle;
  const followed = await recompute({ game, ruleset, secret, nonces, round });
  const { lot, commitment, ...piles } = followed;
  const checked = { commitment: commitment === shuffle.commitment };
  for (const [key, pile] of Object.entries(piles)) {
    checked[key] =
      pile.length === record[key].length && pile.every((card, i) => card === record[key][i]);
  }
  if (shuffle.starter === "lot") checked.first = lot === record.first;
  return checked;
}

// The terminal.

function parsed(bytes) {
  let text;
  try {
    // A byte order mark is kept, and is not JSON.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NothingToCheck("not JSON: not in UTF-8");
  }
  let record;
  try {
    record = JSON.parse(text);
  } catch {
    throw new NothingToCheck("not JSON");
  }
  demandOneMeaning(text);
  return record;
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const WHOLE = /^-?\d+$/;

/** Refuses what JSON.parse reads away: keys that stand twice, and 1.0 where 1 must stand. */
function demandOneMeaning(text) {
  const open = []; // the objects and lists around a token: their keys, and the last of those
  let last = null;
  for (const [token] of text.matchAll(TOKENS)) {
    const around = open.at(-1);
    if (token === "{" || token === "[") open.push({ keys: token === "{" ? new Set() : null });
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      around.key = JSON.parse(last);
      demand(!around.keys.has(around.key), "not a record: a key stands twice in one object");
      around.keys.add(around.key);
    } else if (/^[-\d]/.test(token) && !WHOLE.test(token)) {
      const path = open.map(({ key }) => key).join(".");
      demand(path !== "first", "first must be 0 or 1");
      demand(path !== "shuffle.round", "shuffle: round must be a number from 1");
    }
    last = token;
  }
}

const WHY = {
  ENOENT: "No such file or directory",
  EISDIR: "Is a directory",
  EACCES: "Permission denied",
};

const UNCHECKED_FIRST = {
  agreed: "first: not checked, it was agreed",
  rule: "first: not checked, the rule decides",
};

const UNCHECKED_PLAY = "play: not checked, python -m games.engine verify does that";

async function readBytes(file) {
  const { readFileSync } = await import("node:fs");
  try {
    return readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    const name = file === "-" ? "standard input" : file;
    throw new NothingToCheck(`cannot read ${name}: ${WHY[error.code] ?? "it cannot be opened"}`);
  }
}

async function main(files) {
  try {
    demand(files.length === 1, "usage: node verify-shuffle.mjs FILE");
    const record = parsed(await readBytes(files[0]));
    const checked = await verifyRecord(record);
    const different = Object.keys(checked).filter((key) => !checked[key]);
    const isSame = different.length === 0;
    const told = isSame ? Object.keys(checked) : different;
    console.log(`${isSame ? "checked" : "differs"}: ${told.join(", ")}`);
    if (!("first" in checked)) console.log(UNCHECKED_FIRST[record.shuffle.starter]);
    if (isSame) console.log(UNCHECKED_PLAY);
    return isSame ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NothingToCheck)) throw error;
    console.error(error.message);
    return 2;
  }
}

async function isRunByNode() {
  if (globalThis.process?.versions?.node === undefined || !process.argv[1]) return false;
  const { realpathSync } = await import("node:fs");
  const { fileURLToPath } = await import("node:url");
  return realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url));
}

if (await isRunByNode()) process.exitCode = await main(process.argv.slice(2));
