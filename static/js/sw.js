// The service worker of web push: shows what the site sends, and opens its board on a tap.
// It caches nothing and leaves all requests alone. The site serves it as /sw.js (config/views.py).

self.addEventListener("push", (event) => {
  event.waitUntil(show(read(event.data)));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

function read(data) {
  try {
    return data.json();
  } catch {
    return {};
  }
}

// A later notice of the same game takes the place of the earlier one.
function show({ title = "Marchstone", body = "", path = "/", tag, lang }) {
  return self.registration.showNotification(title, { body, tag, lang, data: { path } });
}

// Only paths of this site, and a board that is open already is brought to the front.
async function open(path) {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((each) => new URL(each.url).pathname === url.pathname);
  if (page) await page.focus();
  else await self.clients.openWindow(url.href);
}
