/**
 * First script of the page. It loads the console behind the skeleton of index.html: vite inserts the console's stylesheets into the
 * head without blocking the first paint, and before those of the pages that are loaded later. Without a server it tries again.
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

/** A script that failed to load stays failed for this document, so a server that is back is met by a reload. */
async function reloadWhenReachable(): Promise<void> {
  const text = document.querySelector(".boot span");
  if (text !== null) text.textContent = "无法连接服务器，正在重试…";
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    if (await reachable()) return location.reload();
  }
}

// The components' styles come first, so that the console's own, which override them, stand after them in the head.
import("./app/arco.ts").then(() => import("./main.tsx")).catch(reloadWhenReachable);
