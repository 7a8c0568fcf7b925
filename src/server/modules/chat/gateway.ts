/** Builds the gateway from its parts and the server's dependencies. index.ts mounts it at its paths. */
import type { WebSocket } from "ws";
import { Counter, Gauge } from "prom-client";
import type { ServerDeps, SocketClient } from "../../base/module.ts";
import { serveConnection } from "./connection.ts";
import { createCredentials } from "./credentials.ts";
import type { ChatIdentity, Credentials } from "./credentials.ts";
import { passOnDataChanges } from "./data-changes.ts";
import { createElsewhere } from "./elsewhere.ts";
import { createFrames } from "./frames.ts";
import { createArchive } from "./history.ts";
import type { ChatArchive } from "./history.ts";
import { createHub } from "./hub.ts";
import type { Hub } from "./hub.ts";
import { createIdSource } from "./ids.ts";
import { CHAT_LIMITS } from "./limits.ts";
import { createMayTalkCache } from "./may-talk.ts";
import { createMessageCache } from "./message-cache.ts";
import { createPeople } from "./people.ts";
import type { People } from "./people.ts";
import { createPresence } from "./presence.ts";
import type { Presence } from "./presence.ts";
import type { Written } from "./records.ts";
import { createChatStore } from "./store.ts";
import type { ChatStore } from "./store.ts";
import { KICK } from "./wire.ts";
import { createWriter } from "./writer.ts";

export interface Gateway {
  readonly people: People;
  readonly store: ChatStore;
  readonly archive: ChatArchive;
  /** Whether the login that issued a token or password is still valid. Always true for one that is bound to no session. */
  isCurrent(identity: Pick<ChatIdentity, "userName" | "sessionId">): Promise<boolean>;
  readonly credentials: Credentials;
  readonly presence: Presence;
  readonly hub: Hub;
  /** Serves a socket whose upgrade was accepted. */
  accept(socket: WebSocket, client: Pick<SocketClient, "identify">): void;
  /** Signs a user out everywhere. The client learns the reason and does not reconnect automatically. */
  kick(userName: string, reason: string): void;
  start(): Promise<void>;
  /** Idempotent. */
  stop(): Promise<void>;
}

export function createGateway(deps: ServerDeps): Gateway {
  const { bus, clock, config, db, directory, log } = deps;
  const sockets = new Gauge({
    name: "chat_sockets",
    help: "Open chat sockets",
    registers: [deps.metrics],
  });
  const messages = new Counter({
    name: "chat_messages_total",
    help: "Chat messages accepted, receipts and commands included",
    registers: [deps.metrics],
  });

  const now = (): number => clock.now();
  const nextId = createIdSource(now);
  const store = createChatStore(db);
  const people = createPeople(db);
  const archive = createArchive(db);
  const credentials = createCredentials(config.APP_SECRET, clock);
  const frames = createFrames(config.EASEMOB_APP_KEY);
  const presence = createPresence({ hub: () => hub, archive, frames, clock, nextId, log });
  const elsewhere = createElsewhere({
    bus,
    clock,
    here: () => hub.local(),
    onError: (error) =>
      log.error({ err: error }, "presence was not announced to the other processes"),
  });
  const hub: Hub = createHub({
    bus,
    log,
    onPresence: (userName) => presence.changed(userName),
    elsewhere: (userName) => elsewhere.resources(userName),
    onDevices: (userName, resources) => elsewhere.tell(userName, resources),
  });
  const recent = createMessageCache((id) => store.message(id));
  const mayTalk = createMayTalkCache(directory, clock);
  const writer = createWriter({ store, clock, nextId, onCommitted: deliver });
  const isCurrent: Gateway["isCurrent"] = async ({ userName, sessionId }) =>
    sessionId === null || (await people.sessionAlive(sessionId, userName, clock.now()));
  const closers: (() => void)[] = [];
  let stopped = false;
  let sweepTimer: { cancel(): void } | null = null;

  function deliver(written: readonly Written[]): void {
    recent.remember(written);
    // One notice per user and batch: the client then pulls everything.
    const notices = new Map<string, string | null>();
    for (const { outgoing, duplicate, meta } of written) {
      if (duplicate) continue;
      const copies: [string, string | null][] = [[outgoing.recipient, null]];
      if (outgoing.carbon && outgoing.sender !== outgoing.recipient) {
        copies.push([outgoing.sender, outgoing.resource]);
      }
      for (const [userName, except] of copies) {
        if (outgoing.onlineOnly) {
          hub.send(userName, { t: "push", meta: Buffer.from(meta).toString("base64"), except });
        } else {
          const known = notices.get(userName);
          notices.set(userName, known === undefined || known === except ? except : null);
        }
      }
    }
    for (const [userName, except] of notices) hub.send(userName, { t: "notice", except });
  }

  function sweepLater(): void {
    sweepTimer = clock.setTimeout(() => {
      store
        .sweep(clock.now())
        .catch((error: unknown) => log.error({ err: error }, "chat sweep failed"))
        .finally(() => {
          if (!stopped) sweepLater();
        });
    }, CHAT_LIMITS.sweepMs);
  }

  return {
    people,
    store,
    archive,
    isCurrent,
    credentials,
    presence,
    hub,
    accept(socket, client) {
      sockets.inc();
      serveConnection(socket, {
        identify: (userName) => client.identify(userName),
        hub,
        store,
        writer,
        frames,
        credentials,
        clock,
        log,
        nextId,
        rules: {
          mayTalk,
          message: (id) => recent.get(id),
          now,
          appKey: config.EASEMOB_APP_KEY,
        },
        isCurrent,
        onMessage: () => messages.inc(),
        onClosed: () => sockets.dec(),
      });
    },
    kick(userName, reason) {
      hub.send(userName, { t: "kick", operation: KICK.kicked, reason });
    },
    async start() {
      closers.push(
        directory.onSessionEnd(({ sessionId }) => {
          hub.endSession(sessionId);
        }),
        passOnDataChanges({
          appKey: config.EASEMOB_APP_KEY,
          bus,
          hub,
          people,
          clock,
          nextId,
          log,
        }),
      );
      elsewhere.start();
      await store.sweep(clock.now());
      sweepLater();
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      sweepTimer?.cancel();
      for (const close of closers.splice(0)) close();
      hub.close();
      elsewhere.stop();
      await writer.drain();
    },
  };
}
