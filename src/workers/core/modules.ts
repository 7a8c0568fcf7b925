/** Creates the modules that only one core may run: chat, calls, conferences, quality, imports and uploads. They start when this core gets the sockets lock and stop when it releases it. */
import { commands, type Handlers } from "../../shared/protocol/core-rpc.ts";
import type { DataChange, DataTag } from "../../shared/protocol/data-tags.ts";
import { createAlerts } from "./alerts/index.ts";
import { watchAbsence } from "./chat/people/absence.ts";
import { type Calls, createCalls } from "./calls/index.ts";
import { type CallGrowth, createCallGrowth } from "./call-growth/index.ts";
import { createChat } from "./chat/index.ts";
import type { CreateConnection } from "./chat/provider/port.ts";
import { type Conferences, createConferences } from "./conferences/index.ts";
import type { CoreEnv, Http, Reach, Session, Stats, Store, Tabs, Timer } from "./contracts.ts";
import type { ReadGroupFile } from "./downloads/sources.ts";
import { createGroupCalls, type GroupCalls } from "./group-calls/index.ts";
import { createImports, type StagingKv } from "./imports/index.ts";
import { createOthersChanges } from "./queries/others-changes.ts";
import { createQoe } from "./qoe/index.ts";
import { createQuietCalls } from "./quiet-calls/index.ts";
import { createTransferSlots } from "./transfers/slots.ts";
import { createUploads } from "./uploads/index.ts";
import { createSendFile } from "./uploads/send.ts";

export interface ModulesDeps {
  readonly env: CoreEnv;
  readonly store: Store;
  readonly tabs: Tabs;
  readonly http: Http;
  readonly session: Session;
  readonly stats: Stats;
  readonly reach: Reach;
  /** Learn of changes by other people. */
  readonly reads: {
    changed(change: DataChange, company: string | null): void;
    missed(): void;
  };
  /** The chat SDK's connection. */
  readonly createConnection: CreateConnection;
  /** Where the import worker stores the rows to send. */
  readonly staging: StagingKv;
}

export interface Modules {
  readonly handlers: {
    readonly chat: Handlers<"chat">;
    readonly group: Handlers<"group">;
    readonly friend: Handlers<"friend">;
    readonly call: Handlers<"call">;
    readonly groupCall: Handlers<"groupCall">;
    readonly imports: Handlers<"imports">;
    readonly uploads: Handlers<"uploads">;
    readonly conference: Handlers<"conference">;
    readonly alerts: Handlers<"alerts">;
  };
  readonly readGroupFile: ReadGroupFile;
  /** Data changed, by whomever. */
  changed(tags: readonly DataTag[]): void;
  /** People whom a list has just shown; chat learns their names and watches their presence. */
  met(people: readonly { readonly userName: string; readonly name: string }[]): void;
  /** Resolves when what was to be stored is stored, so that another core may read it. */
  stop(): Promise<void>;
}
export type CreateModules = (deps: ModulesDeps) => Modules;

/** The caller of a command that no tab gave. */
const NO_TAB = { tabId: "", id: "" };

/**
 * ms by which chat comes back later than calls and conferences after an outage, while one of these is under way. Up to half is added
 * at random, so that the chat logins of all members do not compete with the return of their media.
 */
const CHAT_LATER = 2_000;

/** @returns a reach that reports the end of an outage later while something more urgent is under way */
function yielding(deps: Pick<ModulesDeps, "env" | "reach">, isUrgent: () => boolean): Reach {
  const { clock, random } = deps.env;
  return {
    ...deps.reach,
    onBack(handler) {
      let later: Timer | null = null;
      const end = deps.reach.onBack(() => {
        later?.cancel();
        later = null;
        if (!isUrgent()) return handler();
        later = clock.after(Math.round(CHAT_LATER * (1 + random() / 2)), handler);
      });
      return () => {
        later?.cancel();
        end();
      };
    },
  };
}

export const createModules: CreateModules = (deps) => {
  // A call that chat carries needs chat at once.
  const overChat = deps.env.config.callSignalling === "chat";
  const others = createOthersChanges({
    env: deps.env,
    onChanged(change, company) {
      deps.reads.changed(change, company);
      if (change.tags.includes("groupCalls")) groupCalls.changed();
      if (change.tags.includes("ownCalls")) calls.ownCallsChanged();
    },
  });
  const slots = createTransferSlots();
  const alerts = createAlerts(deps);
  const chat = createChat({
    ...deps,
    slots,
    reach: yielding(deps, () => (calls.active() && !overChat) || conferences.active()),
    onDataChanged: others.add,
    onAlert: alerts.heard,
    onOpen() {
      deps.reads.missed();
      alerts.missed();
      quietCalls.changed();
      calls.ownCallsChanged();
    },
  });
  // A socket or a send that waits for its next attempt continues as soon as the server is back.
  const waiting = { ...deps, env: { ...deps.env, online: deps.reach.online } };
  const measured = { ...waiting, precise: () => performance.now() };
  const qoe = createQoe(measured);
  // A group call begins beside the call that it grows from, and each has records of its own.
  const conferenceQoe = createQoe(measured);
  // Calls and conferences share the epochs, so that a tab obeys only the module that made it the owner last.
  let epoch = 0;
  const nextEpoch = (last: number): number => (epoch = Math.max(epoch, last) + 1);
  const quietCalls = createQuietCalls(deps);
  const calls: Calls = createCalls({
    ...waiting,
    chat: chat.commands,
    signals: chat.signals,
    sendText: chat.sendText,
    qoe,
    nextEpoch,
    busy: () => conferences.active() || groupCalls.active(),
    quiet: quietCalls.now,
    onGrowth: (message) => growth.received(message),
    onClosed: () => growth.callClosed(),
  });
  const conferences: Conferences = createConferences({
    ...waiting,
    nextEpoch,
    qoe: conferenceQoe,
    busy: () => calls.active() && !growth.running,
    calling: () => calls.active(),
    invite: chat.sendText,
  });
  const groupCalls: GroupCalls = createGroupCalls({
    ...waiting,
    chat: chat.commands,
    calling: calls.active,
    inConference: conferences.active,
    quiet: quietCalls.now,
    conference: {
      ready: conferences.ready,
      async enter({ confrId, ...entryWish }, tabId) {
        const entry = commands.conference.join.input.parse({ confrId, ...entryWish });
        await conferences.handlers.join(entry, { tabId, id: deps.env.newId() });
      },
      exit: async () => void (await conferences.handlers.exit({ close: false }, NO_TAB)),
      setAttrs: conferences.setAttrs,
      forgetExit: conferences.forgetExit,
      onChange: conferences.onChange,
    },
  });
  const growth: CallGrowth = createCallGrowth({
    ...waiting,
    call: calls,
    group: groupCalls,
    conference: {
      receives: conferences.receives,
      shows: conferences.shows,
      setLocal: (local) => conferences.handlers.setLocal(local, NO_TAB),
      onChange: conferences.onChange,
    },
  });
  const imports = createImports(waiting);
  const uploads = createUploads({ ...waiting, slots, files: createSendFile(waiting) });
  const absence = watchAbsence({
    env: deps.env,
    tabs: deps.tabs,
    busy: () => calls.active() || conferences.active(),
    rest: chat.rest,
    wake: chat.wake,
  });
  chat.start();
  imports.start();
  uploads.start();
  return {
    handlers: {
      chat: chat.handlers,
      group: chat.groups,
      friend: chat.friends,
      call: {
        ...calls.handlers,
        start(input, context) {
          // Tells the caller at once that the other side is not online.
          chat.watchPresence([input.userName]);
          return calls.handlers.start(input, context);
        },
        hangup(input, context) {
          growth.hangup();
          return calls.handlers.hangup(input, context);
        },
        async setLocal(input, context) {
          const done = await calls.handlers.setLocal(input, context);
          growth.localChanged();
          return done;
        },
      },
      groupCall: { ...groupCalls.handlers, grow: growth.grow },
      imports: imports.handlers,
      uploads: uploads.handlers,
      conference: conferences.handlers,
      alerts: alerts.handlers,
    },
    readGroupFile: chat.readGroupFile,
    changed(tags) {
      if (tags.includes("preferences")) quietCalls.changed();
    },
    met(people) {
      chat.learnNames(people);
      chat.watchPresence(people.map((person) => person.userName));
    },
    stop() {
      absence.stop();
      others.stop();
      alerts.stop();
      quietCalls.stop();
      imports.stop();
      uploads.stop();
      growth.stop();
      groupCalls.stop();
      conferences.stop();
      calls.stop();
      qoe.close();
      conferenceQoe.close();
      return chat
        .stop()
        .catch(() => deps.env.log("chat", "error", "not everything could be written down"));
    },
  };
};
