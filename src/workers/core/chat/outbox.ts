/**
 * Messages that the server has not accepted yet (docs/chat.md#outbox). Each is stored before it is sent and stays until the server
 * accepts or refuses it, so a lost connection or a dead core only delays it. Only one message per conversation is in flight, which
 * keeps the order. Every attempt uses the same id, by which the server recognises a repeated message.
 */
import { z } from "../../../shared/zod.ts";
import { LOCAL_ID } from "../../../shared/domain/chat.ts";
import { reconnectDelay } from "../../../shared/domain/backoff.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import { isRefusal, isTransport } from "./failures.ts";
import { ChatFailure, type ChatConnection } from "./port.ts";

const entrySchema = z.object({
  id: z.string().regex(LOCAL_ID),
  to: z.string(),
  text: z.string(),
  /** ms since the epoch, when it was written */
  time: z.number(),
  /** The server refused it; a person may send it again. */
  failed: z.boolean(),
  /** Extension fields of the sent message. */
  ext: z.record(z.string(), z.unknown()).optional(),
});
export type OutboxEntry = z.infer<typeof entrySchema>;
const landedSchema = entrySchema.omit({ failed: true, ext: true }).extend({ mid: z.string() });
/** A message that the server has taken: an entry with the server's id and time. */
export type LandedEntry = z.infer<typeof landedSchema>;
const storedSchema = z.object({
  entries: z.array(entrySchema),
  /** Command ids and their messages, so that a command that a tab repeats at a new core makes no second message. */
  made: z.array(z.tuple([z.string(), z.string()])),
  /** Messages that the server has taken but that no stored copy of the conversation contains yet. */
  landed: z.array(landedSchema).default([]),
});

/** Commands and taken messages that are remembered; the oldest are dropped. */
const MADE_KEPT = 200;
const LANDED_KEPT = 100;
/** Number of "busy" answers to one message after which it counts as refused. */
const BUSY_TRIES = 5;
/** ms without an answer after which a message is sent again; the SDK itself gives up after 15 s. */
const SEND_DEADLINE = 20_000;

export interface OutboxEvents {
  sent(entry: OutboxEntry, mid: string, time: number | null): void;
  refused(entry: OutboxEntry, failure: ChatFailure): void;
  traffic(): void;
}

export interface Outbox {
  /** Loads the entries that an earlier core stored, oldest first. */
  load(
    me: string,
  ): Promise<{ readonly entries: readonly OutboxEntry[]; readonly landed: readonly LandedEntry[] }>;
  /** Id of the message that a command made earlier; null when it made none. */
  madeBy(commandId: string): string | null;
  /** Resolves once the entry is stored. Rejects while no account's outbox is loaded. */
  add(entry: OutboxEntry, commandId: string): Promise<void>;
  /** Sends a refused message again under the same id. @returns false when there is none */
  again(id: string): Promise<boolean>;
  /** The server has the message, although no acknowledgement came: the core received it back or read it in the history. */
  confirmed(id: string): void;
  /** The stored copies of their conversations contain these messages. */
  copied(ids: readonly string[]): void;
  /** Removes taken messages from the storage of a person who has logged out. */
  dropLanded(me: string): Promise<void>;
  /** Sends what can be sent now. */
  pump(): void;
  /** The connection is lost: pending sends count as not sent. */
  lost(): void;
  /** Forgets the entries in memory; stored ones stay. */
  close(): void;
}

export const outboxKey = (me: string): string => `chat.outbox.${me}`;

export function createOutbox(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "random" | "report">;
  readonly connection: () => ChatConnection | null;
  readonly events: OutboxEvents;
}): Outbox {
  const { env, events } = deps;
  let me: string | null = null;
  let entries: OutboxEntry[] = [];
  let made: [string, string][] = [];
  let landed: LandedEntry[] = [];
  /** Ids of stored entries; only these may be sent. */
  const written = new Set<string>();
  /** By conversation: the message that is being sent. */
  const flying = new Map<string, { readonly id: string; readonly deadline: Timer }>();
  /** By conversation: the pause after a "busy" answer. */
  const pausing = new Map<string, Timer>();
  const busy = new Map<string, number>();

  const waiting: (() => void)[] = [];
  let writing = false;
  let lastWrite: Promise<void> = Promise.resolve();
  const writeAll = async (): Promise<void> => {
    writing = true;
    for (;;) {
      const served = waiting.splice(0);
      const whose = me;
      if (served.length === 0 || whose === null) {
        for (const done of served) done();
        break;
      }
      const snapshot = { entries: [...entries], made: [...made], landed: [...landed] };
      try {
        const write = env.kv.set(outboxKey(whose), snapshot);
        lastWrite = write.catch(() => undefined);
        await write;
      } catch (error) {
        // a full or broken disk must not stop the chat: send the message although it would not survive this core
        env.report(`chat: outbox not written, ${error instanceof Error ? error.name : "error"}`);
      }
      if (whose === me) {
        for (const entry of snapshot.entries) written.add(entry.id);
        pump();
      }
      for (const done of served) done();
    }
    writing = false;
  };
  /** Resolves once a write that began after this call has ended; calls meanwhile share the next one. */
  const persist = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (!writing) void writeAll();
    });

  const forget = (id: string): void => {
    entries = entries.filter((entry) => entry.id !== id);
    written.delete(id);
    busy.delete(id);
    void persist();
  };
  /** @returns false when another message, or none, is being sent in this conversation */
  const endFlight = (to: string, id: string): boolean => {
    const flight = flying.get(to);
    if (flight?.id !== id) return false;
    flight.deadline.cancel();
    flying.delete(to);
    return true;
  };
  const refuse = (entry: OutboxEntry, failure: ChatFailure): void => {
    entries = entries.map((each) => (each.id === entry.id ? { ...each, failed: true } : each));
    busy.delete(entry.id);
    void persist();
    events.refused(entry, failure);
  };
  const sendLater = (entry: OutboxEntry, tries: number): void => {
    const timer = env.clock.after(reconnectDelay(tries, env.random()), () => {
      pausing.delete(entry.to);
      pump();
    });
    pausing.set(entry.to, timer);
  };
  const retryBusy = (entry: OutboxEntry, failure: ChatFailure): void => {
    const tries = (busy.get(entry.id) ?? 0) + 1;
    busy.set(entry.id, tries);
    if (tries >= BUSY_TRIES) return refuse(entry, failure);
    sendLater(entry, tries);
  };

  const send = (connection: ChatConnection, entry: OutboxEntry): void => {
    const whose = me;
    const flight = {
      id: entry.id,
      deadline: env.clock.after(SEND_DEADLINE, () => {
        if (endFlight(entry.to, entry.id)) pump();
      }),
    };
    flying.set(entry.to, flight);
    events.traffic();
    const { id, to, text, ext } = entry;
    connection.send({ kind: "text", id, to, text, ...(ext === undefined ? {} : { ext }) }).then(
      ({ mid, time }) => {
        if (me !== whose) return;
        endFlight(entry.to, entry.id);
        // accepted even after its deadline, because an acknowledgement stays valid
        const known = entries.find((each) => each.id === entry.id);
        if (known !== undefined) {
          events.sent(known, mid, time);
          landed = [...landed, { id, to, text, time: time ?? known.time, mid }].slice(-LANDED_KEPT);
          forget(entry.id);
        }
        pump();
      },
      (error: unknown) => {
        if (me !== whose || flying.get(entry.to) !== flight) return;
        endFlight(entry.to, entry.id);
        const failure = error instanceof ChatFailure ? error : new ChatFailure(999, "send failed");
        if (isRefusal(failure.type)) refuse(entry, failure);
        else if (isTransport(failure.type)) sendLater(entry, 1);
        // "busy", or an exception inside the SDK: a limited number of retries
        else retryBusy(entry, failure);
        pump();
      },
    );
  };

  const pump = (): void => {
    const blocked = new Set<string>();
    for (const entry of entries) {
      if (entry.failed || blocked.has(entry.to)) continue;
      blocked.add(entry.to);
      if (flying.has(entry.to) || pausing.has(entry.to) || !written.has(entry.id)) continue;
      const connection = deps.connection();
      if (connection === null) return;
      send(connection, entry);
    }
  };
  const lost = (): void => {
    for (const flight of flying.values()) flight.deadline.cancel();
    flying.clear();
    for (const timer of pausing.values()) timer.cancel();
    pausing.clear();
  };

  return {
    async load(user) {
      const stored = storedSchema.safeParse(await env.kv.get(outboxKey(user)));
      if (me !== user) {
        lost();
        me = user;
        entries = [];
        made = [];
        landed = [];
        written.clear();
        busy.clear();
      }
      if (stored.success) {
        const known = new Set(entries.map((entry) => entry.id));
        const old = stored.data.entries.filter((entry) => !known.has(entry.id));
        entries = [...old, ...entries];
        made = [...stored.data.made, ...made].slice(-MADE_KEPT);
        landed = [...stored.data.landed, ...landed].slice(-LANDED_KEPT);
        for (const entry of old) written.add(entry.id);
      }
      return { entries, landed };
    },
    madeBy: (commandId) => made.find(([id]) => id === commandId)?.[1] ?? null,
    add(entry, commandId) {
      // load() would overwrite the entry
      if (me === null) return Promise.reject(new AppError("chat.not-connected"));
      entries.push(entry);
      made = [...made, [commandId, entry.id] as [string, string]].slice(-MADE_KEPT);
      return persist();
    },
    async again(id) {
      const found = entries.find((entry) => entry.id === id);
      if (found === undefined) return false;
      // to the end of the queue, because later messages may have been sent meanwhile
      entries = [...entries.filter((entry) => entry.id !== id), { ...found, failed: false }];
      await persist();
      return true;
    },
    confirmed(id) {
      const entry = entries.find((each) => each.id === id);
      if (entry === undefined) return;
      endFlight(entry.to, id);
      forget(id);
      pump();
    },
    copied(ids) {
      if (landed.length === 0) return;
      const there = new Set(ids);
      // stored with the next change: keeping one longer does no harm
      landed = landed.filter((entry) => !there.has(entry.id));
    },
    async dropLanded(user) {
      await lastWrite;
      const stored = storedSchema.safeParse(await env.kv.get(outboxKey(user)));
      if (!stored.success || stored.data.landed.length === 0) return;
      await env.kv.set(outboxKey(user), { ...stored.data, landed: [] });
    },
    pump,
    lost,
    close() {
      lost();
      me = null;
      entries = [];
      made = [];
      landed = [];
      written.clear();
      busy.clear();
    },
  };
}
