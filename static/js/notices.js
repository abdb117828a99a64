// The page "Notices": lets this browser take web push, and says which device of the list it is.

const box = document.querySelector("[data-push]");
if (box) begin();

async function begin() {
  const words = box.querySelector("[data-push-words]");
  const button = box.querySelector("[data-push-on]");
  const isAble = "serviceWorker" in navigator && "PushManager" in window;
  if (!isAble) {
    words.textContent = box.dataset.unable;
    return;
  }
  words.textContent = "";
  const known = await navigator.serviceWorker.getRegistration("/");
  const subscription = await known?.pushManager.getSubscription();
  const isListed = subscription ? await mark(subscription) : false;
  button.hidden = isListed;
  if (Notification.permission === "denied") words.textContent = box.dataset.blocked;
  button.addEventListener("click", async () => {
    button.disabled = true;
    words.textContent = await subscribe();
    button.disabled = false;
  });
}

// The site knows a device by its address; the list holds a hash of it.
async function mark({ endpoint }) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0"));
  const badge = document.querySelector(`[data-device="${hex.join("")}"]`);
  if (badge) badge.hidden = false;
  return Boolean(badge);
}

// Gives the words for what went wrong; where all went well the page is loaded anew.
async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return box.dataset.blocked;
  let subscription;
  try {
    const registration = await navigator.serviceWorker.register(box.dataset.worker);
    await navigator.serviceWorker.ready;
    const key = box.dataset.key;
    subscription = await take(registration.pushManager, key);
  } catch {
    return box.dataset.failed;
  }
  const { endpoint, keys } = subscription.toJSON();
  const token = document.querySelector("input[name='csrfmiddlewaretoken']").value;
  const body = new URLSearchParams({ endpoint, ...keys, csrfmiddlewaretoken: token });
  try {
    const answer = await fetch(box.dataset.url, { method: "POST", body });
    if (!answer.ok) return (await answer.json()).message ?? box.dataset.failed;
  } catch {
    return box.dataset.failed;
  }
  location.reload();
  return "";
}

// A subscription for an older key of the site is of no use any more.
async function take(manager, key) {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await manager.subscribe(options);
  } catch (fault) {
    if (fault.name !== "InvalidStateError") throw fault;
    await (await manager.getSubscription())?.unsubscribe();
    return manager.subscribe(options);
  }
}
