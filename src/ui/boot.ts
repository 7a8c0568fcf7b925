/**
 * First script of the page. It loads the console behind the skeleton of index.html, so that vite inserts the console's stylesheets
 * into the head without blocking the first paint, and before those of pages that load later. It retries while the server is down.
 */
const RETRY_MS = 3_000;

async function reachable(): Promise<boolean> {
  try {
    const headers = { accept: "text/html" };
    return (await fetch(location.href, { method: "HEAD", cache: "no-store", headers })).ok;
  } catch {
    return false;
  }
}

/** Reloads when the server is reachable, because a script that failed to load stays failed in this document. */
async function reloadWhenReachable(): Promise<void> {
  const text = document.querySelector(".boot span");
  if (text !== null) text.textContent = "无法连接服务器，正在重试…";
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    if (await reachable()) return location.reload();
  }
}

// Load the components' styles first: the console's own styles override them and must come later in the head. What keeps a translated
// page alive arrives beside them: it must know each text that the translator takes from React, so it watches before React begins.
Promise.all([import("./app/translated-nodes.ts"), import("./loading/arco.ts")])
  .then(([{ keepTranslatedNodes }]) => {
    keepTranslatedNodes(document);
    return import("./main.tsx");
  })
  .catch(reloadWhenReachable);
