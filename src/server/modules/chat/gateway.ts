/** Builds the gateway from its parts and the server's dependencies. index.ts mounts it at its paths. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { WebSocket } from "ws";
import { Counter, Gauge } from "prom-client";
import { AGAIN } from "../../base/cluster/bus.ts";
import { DATA_CHANGES, dataChangesSchema } from "../../base/cluster/data-changes.ts";
import type { ServerDeps, SocketClient } from "../../base/module.ts";
import { createBlobs } from "../../base/storage/blobs.ts";
import { type CallDoor, createCallDoor } from "./call-door.ts";
import { createChatFiles } from "./files/chat-files.ts";
import type { ChatFiles } from "./files/chat-files.ts";
import { serveConnection } from "./delivery/connection.ts";
import { createCredentials } from "./credentials.ts";
import type { ChatIdentity, Credentials } from "./credentials.ts";
import { createChangesMessage, passOnDataChanges } from "./data-changes.ts";
import { createCursors } from "./delivery/cursors.ts";
import { createDelivery } from "./delivery/delivery.ts";
import { createElsewhere } from "./delivery/elsewhere.ts";
import type { ActDeps } from "./rest/acts.ts";
import { createBlocklist } from "./contacts/blocklist.ts";
import { type Contacts, createContacts } from "./contacts/contacts.ts";
import {
  type ConversationList,
  createConversationList,
} from "./conversations/conversation-list.ts";
import { createEndAccess } from "./end-access.ts";
import { createErasures, type Erasures } from "./conversations/erasures.ts";
import { createFrames } from "./wire/frames.ts";
import { createArchive } from "./conversations/history.ts";
import type { ChatArchive } from "./conversations/history.ts";
import { createGroupDelivery } from "./delivery/group-delivery.ts";
import { createGroups, type Groups } from "./groups/index.ts";
import { createHub } from "./delivery/hub.ts";
import type { Hub } from "./delivery/hub.ts";
import { createIdSource } from "./wire/ids.ts";
import { CHAT_LIMITS } from "./limits.ts";
import { createMayTalkCache } from "./contacts/may-talk.ts";
import { createMessageCache } from "./delivery/message-cache.ts";
import { createPeople } from "./contacts/people.ts";
import type { People } from "./contacts/people.ts";
import { createPinnedMessages, type PinnedMessages } from "./conversations/pinned-messages.ts";
import { createPresence } from "./delivery/presence.ts";
import type { Presence } from "./delivery/presence.ts";
import { createRecentInbox } from "./delivery/recent-inbox.ts";
import { createReports, type Reports } from "./conversations/reports.ts";
import { createReactions, type Reactions } from "./messages/reactions.ts";
import { type ConversationSettings, createSettings } from "./conversations/settings.ts";
import { createChatStore } from "./store.ts";
import type { ChatStore } from "./store.ts";
import { KICK } from "./wire/wire.ts";
import { createWriter } from "./delivery/writer.ts";

export interface Gateway {
  readonly people: People;
  readonly store: ChatStore;
  readonly archive: ChatArchive;
  readonly files: ChatFiles;
  /** Whether the login that issued a token or password is still valid. Always true for one that is bound to no session. */
  isCurrent(identity: Pick<ChatIdentity, "userName" | "sessionId">): Promise<boolean>;
  readonly credentials: Credentials;
  readonly presence: Presence;
  readonly hub: Hub;
  readonly groups: Groups;
  readonly reactions: Reactions;
  readonly settings: ConversationSettings;
  readonly calls: CallDoor;
  readonly acts: ActDeps;
  readonly contacts: Contacts;
  readonly list: ConversationList;
  readonly erasures: Erasures;
  readonly pinned: PinnedMessages;
  readonly reports: Reports;
  /** Serves a socket whose upgrade was accepted. */
  accept(socket: WebSocket, client: Pick<SocketClient, "identify">): void;
  /** Signs a user out everywhere. The client learns the reason and does not reconnect automatically. */
  kick(userName: string, reason: string): void;
  start(): Promise<void>;
  /** Idempotent. */
  stop(): Promise<void>;
}

/** @param tellsGroups false: the events of groups come from elsewhere, so that the gateway stores none */
export function createGateway(deps: ServerDeps, tellsGroups = true): Gateway {
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
  const { mayTalk, forget: forgetMayTalk } = createMayTalkCache(directory, clock);
  const presence = createPresence({
    hub: () => hub,
    archive,
    mayTalk,
    frames,
    clock,
    nextId,
    log,
  });
  const elsewhere = createElsewhere({
    bus,
    clock,
    here: () => hub.local(),
    sessions: (userName) => hub.sessionsHere(userName),
    onError: (error) =>
      log.error({ err: error }, "presence was not announced to the other processes"),
  });
  const node = randomUUID();
  const inbox = createRecentInbox(clock);
  const cursors = createCursors({ store, clock, log });
  const hub: Hub = createHub({
    bus,
    log,
    node,
    onWrittenElsewhere: (userName) => inbox.forget(userName),
    onPresence: (userName) => presence.changed(userName),
    elsewhere: (userName) => elsewhere.resources(userName),
    onDevices: (userName, resources, joined) => {
      elsewhere.announceUser(userName, resources, hub.sessionsHere(userName));
      if (joined) calls.connected(userName);
      if (resources.length === 0) inbox.forget(userName);
    },
  });
  const calls = createCallDoor({
    appKey: config.EASEMOB_APP_KEY,
    nextId,
    hub: () => hub,
    sessionsElsewhere: (userName) => elsewhere.sessions(userName),
    write: (outgoing) => writer.write(outgoing),
  });
  const recent = createMessageCache((id) => store.message(id));
  const files = createChatFiles({
    db,
    blobs: createBlobs({ folder: join(config.DATA_DIR, "files"), db, now }),
    clock,
    mayTalk,
    folder: join(config.DATA_DIR, "files"),
    basePath: config.BASE_PATH,
    resumablePath: `/${config.EASEMOB_APP_KEY.replace("#", "/")}/chatfiles/resumable`,
    limits: { person: config.UPLOAD_CHAT_MB, hourly: config.UPLOAD_HOURLY_MB },
  });
  const writer = createWriter({
    store,
    clock,
    nextId,
    onCommitted: (written) => deliver(written),
  });
  const groups = createGroups({
    db,
    appKey: config.EASEMOB_APP_KEY,
    nextId,
    now,
    files,
    write: (outgoing) => (tellsGroups ? writer.write(outgoing) : Promise.resolve()),
  });
  const groupDelivery = createGroupDelivery({
    bus,
    log,
    node,
    hub,
    inbox,
    roster: groups.roster,
  });
  const deliver = createDelivery({ node, hub, inbox, recent, groupDelivery, passed: calls.passed });
  const blocklist = createBlocklist({ db, now });
  const settings = createSettings({
    db,
    appKey: config.EASEMOB_APP_KEY,
    nextId,
    now,
    write: (outgoing) => writer.write(outgoing),
  });
  const acts: ActDeps = {
    db,
    appKey: config.EASEMOB_APP_KEY,
    nextId,
    now,
    mayTalk,
    blocks: blocklist.blocks,
    groups,
    write: (outgoing) => writer.write(outgoing),
  };
  const reactions = createReactions(acts);
  const contacts = createContacts({
    ...acts,
    blocklist,
    write: (outgoing) => (tellsGroups ? acts.write(outgoing) : Promise.resolve()),
  });
  const erasures = createErasures({ ...acts, onInbox: (userName) => inbox.forget(userName) });
  const list = createConversationList({ db, archive, erasures });
  const isCurrent: Gateway["isCurrent"] = async ({ userName, sessionId }) =>
    sessionId === null || (await people.sessionAlive(sessionId, userName, clock.now()));
  const closers: (() => void)[] = [];
  let stopped = false;

  /** One after the other: each may change what the next finds. */
  let settling: Promise<void> = Promise.resolve();
  function settle(companyId: string | null): void {
    settling = settling
      .then(() => groups.settle(companyId))
      .catch((error: unknown) => {
        log.error({ err: error }, "people who left the company are still in its groups");
      });
  }

  deps.tasks.add({
    id: "chat",
    every: CHAT_LIMITS.sweepMs,
    run: () => store.sweep(clock.now()),
  });
  deps.tasks.add({ id: "chat-files", every: CHAT_LIMITS.sweepMs, run: () => files.sweep() });

  const changesMessage = createChangesMessage({ appKey: config.EASEMOB_APP_KEY, clock, nextId });
  const endAccess = createEndAccess({
    message: changesMessage,
    hub,
    presence,
    groupDelivery,
    forgetMayTalk,
  });

  return {
    people,
    store,
    archive,
    files,
    isCurrent,
    credentials,
    presence,
    hub,
    groups,
    reactions,
    settings,
    calls: calls.door,
    acts,
    contacts,
    list,
    erasures,
    pinned: createPinnedMessages(acts),
    reports: createReports(acts),
    accept(socket, client) {
      sockets.inc();
      serveConnection(socket, {
        identify: (userName) => client.identify(userName),
        hub,
        store,
        recent: inbox,
        cursors,
        writer,
        frames,
        credentials,
        clock,
        log,
        nextId,
        rules: {
          mayTalk,
          blocks: contacts.blocks,
          message: (id) => recent.get(id),
          editable: store.editable,
          wrote: store.wrote,
          now,
          groups,
          acknowledge: groups.acknowledge,
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
        directory.onAccessEnd(endAccess.end, () => hub.allSessionsHere()),
        bus.subscribe(AGAIN, endAccess.missed),
        passOnDataChanges({ message: changesMessage, bus, hub, people, log }),
      );
      closers.push(
        bus.subscribe(DATA_CHANGES, (published) => {
          const changes = dataChangesSchema.safeParse(published);
          // Who has come to a company may talk there at once.
          if (changes.success && changes.data.tags.includes("memberships")) forgetMayTalk();
          if (changes.success && changes.data.tags.includes("employees")) {
            groupDelivery.forgetMembers();
            settle(changes.data.supplierId);
          }
        }),
      );
      settle(null);
      elsewhere.start();
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      for (const close of closers.splice(0)) close();
      hub.close();
      elsewhere.stop();
      await settling;
      await writer.drain();
      await groupDelivery.close();
      await cursors.drain();
    },
  };
}
