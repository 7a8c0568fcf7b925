/** Entry of the console: creates the real core client and media code, then renders the page. */
import { subscribe } from "valtio";
import { addressOf, BASE_PATH, pagePath } from "../core-client/base-path.ts";
import { AUTH_REDIRECT_PATH, isOpenPath } from "../shared/domain/guard.ts";
import { renderConsole } from "./app/render.tsx";
import { createCoreClient } from "../core-client/index.ts";
import { catchErrors } from "./state/errors.ts";
import { reportVitals } from "./state/page-vitals.ts";
import { createLateMediaHost } from "./state/late-media.ts";
import { retrying } from "./state/retrying.ts";
import { renew } from "./state/services.ts";

// Who calls the server past the proxy, or by another path of its host, comes to the path of the console.
if (!`${location.pathname}/`.startsWith(`${BASE_PATH}/`)) {
  const path = `${location.pathname}${location.search}${location.hash}`;
  history.replaceState(history.state, "", addressOf(path));
}

const media = createLateMediaHost({
  start: async () => {
    const { startMedia } = await retrying(() => import("./features/effects/start-media.ts"));
    return startMedia(core);
  },
  hasConnections: () => "RTCPeerConnection" in globalThis,
});
const core = createCoreClient({
  mediaHost: media,
  // the address of the auth redirect contains a token, so leave its query out
  path: () => (pagePath() === AUTH_REDIRECT_PATH ? pagePath() : `${pagePath()}${location.search}`),
});
catchErrors(core);
reportVitals(core);
// Code of this build that a reachable server lacks: a deployment has replaced it. This tab asks by itself, for it may have no core
// (retrying.ts); the core says it to the other tabs.
addEventListener(
  "vite:preloadError",
  () => void core.commands.worker.checkBuild({}).catch(() => undefined),
);
// For parts that load code (retrying.ts), for support staff at the browser's developer console, and for tests that read the mirrored
// state. It holds no token.
globalThis.consoleCore = core;

const loadMedia = (): void => void media.load().catch(() => undefined);
if (isOpenPath(pagePath())) {
  const { session } = core.state;
  const stop = subscribe(session, () => {
    if (session.accountId === null) return;
    stop();
    loadMedia();
  });
} else loadMedia();

void import("./state/shell.ts")
  .then(({ startLater }) => startLater(core, renew))
  .catch(() => undefined);

const element = document.getElementById("root");
if (element !== null) void renderConsole(element, { core, media });
