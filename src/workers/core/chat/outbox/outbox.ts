/**
 * Messages that the server has not accepted yet (docs/chat.md#outbox). Each is stored before it is sent and stays until the server
 * accepts or refuses it, so a lost connection or a dead core only delays it. Only one message per conversation is in flight, which
 * keeps the order. Every attempt uses the same id, by which the server recognises a repeated message.
 */
import { reconnectDelay } from "../../../../shared/domain/backoff.ts";
import { AppError } from "../../../../shared/errors.ts";
import type { CoreEnv, Timer } from "../../contracts.ts";
import { isRefusal, isTransport } from "../provider/failures.ts";
import type { Outbox } from "./outbox-contract.ts";
import type { OutboxEvents } from "./outbox-events.ts";
import {
  joined,
  LANDED_KEPT,
  type LandedEntry,
  MADE_KEPT,
  type OutboxEntry,
  type OutboxStored,
} from "./outbox-entry.ts";
import { outgoing } from "./outbox-message.ts";
import { createOutboxWriter } from "./outbox-writer.ts";
import { ChatFailure, type ChatConnection } from "../provider/port.ts";
import type { TransferSlots } from "../../transfers/slots.ts";
import { createUploads } from "./uploads.ts";

/** Number of "busy" answers to one message after which it counts as refused. */
const BUSY_TRIES = 5;
/** ms without an answer after which a message is sent again; the SDK itself gives up after 15 s. */
const SEND_DEADLINE = 20_000;

export function createOutbox(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "online" | "random" | "log">;
  readonly connection: () => ChatConnection | null;
  readonly events: OutboxEvents;
  readonly slots: TransferSlots;
}): Outbox {
  const { env, events } = deps;
  let me: string | null = null;
  let entries: readonly OutboxEntry[] = [];
  let made: OutboxStored["made"] = [];
  let landed: readonly LandedEntry[] = [];
  /** Raised by each close, so that a load that began before it has no effect. */
  let closes = 0;
  /** Ids of stored entries; only these may be sent. */
  const written = new Set<string>();
  /** Ids of new entries that are not stored yet. */
  const added = new Set<string>();
  /** By conversation: the message that is being sent. */
  const flying = new Map<string, { readonly id: string; readonly deadline: Timer }>();
  /** By conversation: the pause after a "busy" answer. */
  const pausing = new Map<string, Timer>();
  const busy = new Map<string, number>();

  const uploads = createUploads({
    env,
    connection: deps.connection,
    slots: deps.slots,
    events: {
      progress: events.progress,
      uploaded(id, uploaded) {
        const found = entries.find((entry) => entry.id === id);
        if (found?.file === undefined) return;
        const entry = { ...found, file: { ...found.file, uploaded } };
        entries = entries.map((each) => (each.id === id ? entry : each));
        // Not sent before this is stored: the next core would upload again and send a message about another file.
        written.delete(id);
        events.uploaded(entry);
        void persist();
      },
      refused(id, failure) {
        const entry = entries.find((each) => each.id === id);
        if (entry !== undefined) refuse(entry, failure);
      },
      free: () => pump(),
    },
  });
  const isWritten = (entry: OutboxEntry): void => {
    written.add(entry.id);
    if (added.delete(entry.id)) events.stored(entry);
  };
  const writer = createOutboxWriter({
    env,
    content: () =>
      me === null ? null : { me, entries: [...entries], made: [...made], landed: [...landed] },
    onRead(stored) {
      for (const entry of join(stored)) events.stored(entry);
      events.changed(entries);
      pump();
    },
    onWritten(content) {
      if (content.me !== me) return;
      // an entry that changed during the write is not stored yet
      const stored = new Set(content.entries);
      for (const entry of entries) if (stored.has(entry)) isWritten(entry);
      pump();
    },
  });
  /** @returns the entries that were not known */
  const join = (stored: OutboxStored): readonly OutboxEntry[] => {
    const known = new Set(entries.map((entry) => entry.id));
    ({ entries, made, landed } = joined(stored, { entries, made, landed }));
    const old = entries.filter((entry) => !known.has(entry.id));
    for (const entry of old) written.add(entry.id);
    return old;
  };
  const clear = (): void => {
    lost();
    uploads.close();
    entries = [];
    made = [];
    landed = [];
    written.clear();
    added.clear();
    busy.clear();
  };
  const persist = (): Promise<void> => {
    events.changed(entries);
    return writer.write();
  };

  const forget = (id: string): void => {
    const file = entries.find((entry) => entry.id === id)?.file;
    if (file !== undefined && me !== null) uploads.drop(me, id, file.key);
    entries = entries.filter((entry) => entry.id !== id);
    written.delete(id);
    added.delete(id);
    busy.delete(id);
    void persist();
  };
  /** The server has the entry, so it is no longer one; it is kept until the stored copy of its conversation shows it as taken. */
  const land = (entry: OutboxEntry, mid: string, time: number | null): void => {
    const { failed: _, ext: __, ...taken } = entry;
    landed = [...landed, { ...taken, time: time ?? entry.time, mid }].slice(-LANDED_KEPT);
    forget(entry.id);
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
    connection.send(outgoing(entry)).then(
      ({ mid, time }) => {
        if (me !== whose) return;
        endFlight(entry.to, entry.id);
        // accepted even after its deadline, because an acknowledgement stays valid
        const known = entries.find((each) => each.id === entry.id);
        if (known !== undefined) {
          events.sent(known, mid, time);
          land(known, mid, time);
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
    /** Conversations with a message that is due, and those with a file on its way. */
    const [blocked, uploading] = [new Set<string>(), new Set<string>()];
    for (const entry of entries) {
      if (entry.failed) continue;
      // texts do not wait for an upload, but files do: they arrive in the order in which they were chosen
      if (entry.file?.uploaded === null) {
        uploading.add(entry.to);
        if (me !== null && written.has(entry.id)) uploads.offer(me, entry, entry.file);
        continue;
      }
      if (entry.file !== undefined && uploading.has(entry.to)) continue;
      if (blocked.has(entry.to)) continue;
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
      const ownCloses = closes;
      const stored = await writer.open(user);
      if (closes !== ownCloses) return { entries: [], landed: [] };
      if (me !== user) {
        clear();
        me = user;
      }
      if (stored !== null) join(stored);
      events.changed(entries);
      return { entries, landed };
    },
    madeBy: (commandId) => made.find(([id]) => id === commandId)?.[1] ?? null,
    add(entry, commandId) {
      // load() would overwrite the entry
      if (me === null) return Promise.reject(new AppError("chat.not-connected"));
      entries = [...entries, entry];
      added.add(entry.id);
      made = [...made, [commandId, entry.id] as const].slice(-MADE_KEPT);
      return persist();
    },
    async keepFile(key, contents) {
      if (me === null) throw new AppError("chat.not-connected");
      await uploads.keep(me, key, contents);
    },
    async pictureOf(id) {
      const file = entries.find((entry) => entry.id === id)?.file;
      if (file === undefined || me === null) return null;
      const contents = await uploads.read(me, file.key);
      return contents?.thumb ?? (file.kind === "img" ? (contents?.file ?? null) : null);
    },
    cancel(id) {
      const entry = entries.find((each) => each.id === id);
      if (entry === undefined || flying.get(entry.to)?.id === id) return false;
      forget(id);
      pump();
      return true;
    },
    async again(id) {
      const found = entries.find((entry) => entry.id === id);
      if (found === undefined) return false;
      // to the end of the queue, because later messages may have been sent meanwhile
      entries = [...entries.filter((entry) => entry.id !== id), { ...found, failed: false }];
      await persist();
      return true;
    },
    confirmed(id, mid, time) {
      const entry = entries.find((each) => each.id === id);
      if (entry === undefined) return;
      endFlight(entry.to, id);
      land(entry, mid, time);
      pump();
    },
    copied(ids) {
      if (landed.length === 0) return;
      const there = new Set(ids);
      // stored with the next change: keeping one longer does no harm
      landed = landed.filter((entry) => !there.has(entry.id));
    },
    dropLanded: writer.dropLanded,
    settled: writer.settled,
    pump,
    lost,
    close() {
      closes += 1;
      writer.close();
      clear();
      me = null;
      events.changed(entries);
    },
  };
}
