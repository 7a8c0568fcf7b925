/**
 * The chat gateway: speaks the wire of the chat provider, so that its unmodified SDK is the console's one chat client.
 * Messages and inboxes are stored before they are acknowledged; every device has its own cursor (docs/chat.md#gateway).
 */
import { CHAT_FILE_MAX } from "../../../shared/domain/chat-files.ts";
import { createKeptFailures } from "../../base/limits/kept-failures.ts";
import type { ServerDeps, ServerModule } from "../../base/module.ts";
import type { OwnMessages } from "../../base/cluster/own-messages.ts";
import { type Cloud, createCloud } from "./cloud/index.ts";
import type { CallDoor } from "./call-door.ts";
import { addConsoleRoutes } from "./rest/console-rest.ts";
import type { Contacts } from "./contacts/contacts.ts";
import { createGateway } from "./gateway.ts";
import type { Groups } from "./groups/index.ts";
import { CHAT_LIMITS } from "./limits.ts";
import { createPlatformVoice, type PlatformVoice } from "./platform-voice.ts";
import { createProviderRest } from "./rest/provider-rest.ts";

/**
 * @param own what this process publishes on the bus
 * @returns the module; the groups and contacts, which the console's own calls change too; the cloud, if the configuration names one; the messages of calls; what the platform says
 */
export function createChatModule(
  deps: ServerDeps,
  own: Pick<OwnMessages, "onPublished">,
): ServerModule & {
  readonly groups: Groups;
  readonly contacts: Contacts;
  readonly cloud: Cloud | null;
  readonly calls: CallDoor;
  readonly voice: PlatformVoice;
} {
  const cloud = createCloud(deps, own);
  const gateway = createGateway(deps, cloud === null);
  const console = {
    appKey: deps.config.EASEMOB_APP_KEY,
    directory: deps.directory,
    people: gateway.people,
    isOnline: (userName: string) => gateway.hub.isOnline(userName),
  };
  if (cloud !== null) {
    // The gateway's wire is not served: what the cloud has would be there a second time.
    return {
      name: "chat",
      groups: cloud.actsOn(gateway.groups),
      contacts: gateway.contacts,
      cloud,
      calls: gateway.calls,
      voice: cloud.voice,
      routes(app) {
        cloud.routes(app);
        addConsoleRoutes(app, {
          ...console,
          loginOf: async ({ chatUserName }) => ({
            accessToken: await cloud.userToken(chatUserName),
          }),
        });
      },
      start() {
        cloud.start();
        return Promise.resolve();
      },
      async stop() {
        await cloud.stop();
        await gateway.stop();
      },
    };
  }
  const [org = "", application = ""] = deps.config.EASEMOB_APP_KEY.split("#");
  return {
    name: "chat",
    groups: gateway.groups,
    contacts: gateway.contacts,
    calls: gateway.calls,
    voice: createPlatformVoice(gateway.acts, gateway.hub),
    cloud,
    bodyLimits: [
      { method: "POST", path: "chatfiles" },
      { method: "POST", path: "chatgroups/{id}/share_files" },
      { method: "PATCH", path: "chatfiles/resumable/{id}" },
    ].map(({ method, path }) => ({
      method,
      path: `/${org}/${application}/${path}`,
      size: CHAT_FILE_MAX + CHAT_LIMITS.thumbBytes + CHAT_LIMITS.uploadOverhead,
    })),
    routes(app) {
      const rest = createProviderRest({
        appKey: deps.config.EASEMOB_APP_KEY,
        ...gateway,
        failures: createKeptFailures({ db: deps.db, secret: deps.config.APP_SECRET }),
        directory: deps.directory,
        clock: deps.clock,
        log: deps.log,
      });
      app.route(rest.prefix, rest.app);
      addConsoleRoutes(app, {
        ...console,
        // Bound to this login: the password becomes invalid when the login ends.
        loginOf: ({ chatUserName, sessionId }) =>
          Promise.resolve({ password: gateway.credentials.password(chatUserName, sessionId) }),
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
}
