/**
 * The chat gateway: speaks the wire of the chat provider, so that its unmodified SDK is the console's one chat client.
 * Messages and inboxes are stored before they are acknowledged; every device has its own cursor (docs/chat.md#gateway).
 */
import type { CreateModule } from "../../base/module.ts";
import { addConsoleRoutes } from "./console-rest.ts";
import { createGateway } from "./gateway.ts";
import { CHAT_LIMITS } from "./limits.ts";
import { createProviderRest } from "./provider-rest.ts";

export const createChatModule: CreateModule = (deps) => {
  const gateway = createGateway(deps);
  return {
    name: "chat",
    routes(app) {
      const rest = createProviderRest({
        appKey: deps.config.EASEMOB_APP_KEY,
        credentials: gateway.credentials,
        isCurrent: gateway.isCurrent,
        archive: gateway.archive,
        presence: gateway.presence,
        directory: deps.directory,
        people: gateway.people,
        clock: deps.clock,
        log: deps.log,
      });
      app.route(rest.prefix, rest.app);
      addConsoleRoutes(app, {
        appKey: deps.config.EASEMOB_APP_KEY,
        directory: deps.directory,
        credentials: gateway.credentials,
        people: gateway.people,
        isOnline: (userName) => gateway.hub.isOnline(userName),
      });
    },
    sockets: [
      {
        path: "/websocket",
        maxPayload: CHAT_LIMITS.frameBytes,
        accept: (socket, _request, _url, client) => gateway.accept(socket, client),
      },
    ],
    start: () => gateway.start(),
    stop: () => gateway.stop(),
  };
};
