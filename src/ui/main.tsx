/** Entry of the console: creates the real core client and media code, then renders the page. */
import "@arco-design/web-react/es/_util/react-19-adapter";
import { browserMediaDeps, createMediaHost } from "../rtc-main/index.ts";
import { AUTH_REDIRECT_PATH } from "../shared/domain/guard.ts";
import { renderConsole } from "./app/render.tsx";
import { createCoreClient } from "../core-client/index.ts";
import { catchErrors } from "./state/errors.ts";

const media = createMediaHost(browserMediaDeps());
const core = createCoreClient({
  mediaHost: media,
  // the address of the auth redirect contains a token, so leave its query out
  path: () =>
    location.pathname === AUTH_REDIRECT_PATH
      ? location.pathname
      : `${location.pathname}${location.search}`,
});
catchErrors(core);
// For support staff at the browser's developer console, and for tests that read the mirrored state. It holds no token.
globalThis.consoleCore = core;

const element = document.getElementById("root");
if (element !== null) void renderConsole(element, { core, media });
