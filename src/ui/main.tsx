/** Entry of the console: the real core client and media half, then the page. */
import "@arco-design/web-react/es/_util/react-19-adapter";
import { browserMediaDeps, createMediaHost } from "../rtc-main/index.ts";
import { AUTH_REDIRECT_PATH } from "../shared/domain/guard.ts";
import { renderConsole } from "./app/render.tsx";
import { createCoreClient } from "./core-client/index.ts";
import { catchErrors } from "./state/errors.ts";

const media = createMediaHost(browserMediaDeps());
const core = createCoreClient({
  mediaHost: media,
  // a token in the address is nobody else's to see
  path: () =>
    location.pathname === AUTH_REDIRECT_PATH
      ? location.pathname
      : `${location.pathname}${location.search}`,
});
catchErrors(core);
// for support staff at the browser's console, and for the tests that look at what the core mirrors; it holds no token
globalThis.consoleCore = core;

const element = document.getElementById("root");
if (element !== null) void renderConsole(element, { core, media });
