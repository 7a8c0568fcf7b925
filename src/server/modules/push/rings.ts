/**
 * Rings browsers without a tab (docs/calls.md#web-push). The process that takes the caller's ring pushes it, once per call, to the
 * person's browsers that have no chat connection, and pushes the end of the ring. Ends and refusals may come to another process, so
 * they go over the bus.
 */
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { z } from "zod";
import { CALL_TIMEOUTS } from "../../../shared/domain/call.ts";
import {
  ANSWER_ACCEPT,
  ANSWER_REFUSE,
  type CallAction,
} from "../../../shared/protocol/call-message.ts";
import type { QuietCalls } from "../../../shared/protocol/quiet-calls.ts";
import { type PushPayload, RING_ENDS, type RingEnd } from "../../../shared/protocol/push.ts";
import type { Bus, Clock, Directory } from "../../base/module.ts";
import type { CallCommand } from "../chat/call-commands.ts";
import type { CallDoor } from "../chat/call-door.ts";
import type { PushSender } from "./sender.ts";
import type { PushStore, Subscription } from "./store.ts";

const TOPIC = "push:rings";
/** Calls of one person to another that are pushed within the time of a ring. Who rings more often reaches open tabs alone. */
const MAX_OF_PAIR = 3;

const newsSchema = z.discriminatedUnion("t", [
  z.object({ t: z.literal("end"), key: z.string(), how: z.enum(RING_ENDS) }),
  z.object({ t: z.literal("refuse"), token: z.string() }),
  z.object({ t: z.literal("connected"), userName: z.string() }),
]);
type News = z.infer<typeof newsSchema>;

interface Ring {
  readonly command: CallCommand;
  readonly meta: Uint8Array;
  readonly timer: { cancel(): void };
  /** Who was pushed, by the token that each got. */
  readonly targets: Map<string, Subscription>;
  name: string;
  /** An ended ring stays until its time is over, so that a late repetition does not ring again. */
  ended: boolean;
  /** The pushes so far, so that the end does not overtake the ring. */
  sending: Promise<void>;
}

export interface Rings {
  /** Refuses the call of a notification, if it still rings. */
  refuse(token: string): Promise<void>;
  start(): void;
  /** Idempotent. Resolves when no push is under way. */
  stop(): Promise<void>;
}

const keyOf = (callId: string, caller: string, callee: string): string =>
  `${callId}|${caller}|${callee}`;

/** What a message says about the ring of a call: who rang whom, and how that ended; null: nothing. */
function endOf(command: CallCommand): { key: string; how: RingEnd } | null {
  const { action, callId, from, to, result, status } = command;
  const byCaller = keyOf(callId, from, to);
  const byCallee = keyOf(callId, to, from);
  if (action === "cancelCall") return { key: byCaller, how: "missed" };
  if (action === "confirmAnswer") return { key: byCaller, how: "answered" };
  if (action === "sendAnswer") {
    return { key: byCallee, how: result === ANSWER_ACCEPT ? "answered" : "refused" };
  }
  const busy = action === "confirmRing" && ["false", "0"].includes(status);
  return busy ? { key: byCallee, how: "missed" } : null;
}

export function createRings(deps: {
  readonly calls: CallDoor;
  readonly store: Pick<PushStore, "subscriptionsOf" | "quietOf">;
  readonly sender: PushSender;
  readonly directory: Pick<Directory, "personByChatName">;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
}): Rings {
  const { bus, calls, clock, log } = deps;
  const rings = new Map<string, Ring>();
  const closers: (() => void)[] = [];

  const publishNews = (news: News): Promise<void> =>
    bus.publish(TOPIC, news).catch((error: unknown) => {
      log.error({ err: error }, "an event of a ring was not published");
    });

  const payloadOf = ({ command, name }: Ring, to: Subscription) => ({
    callId: command.callId,
    from: command.from,
    name,
    media: command.media,
    language: to.language,
  });

  const pushAll = async (ring: Ring, payload: (to: Subscription, token: string) => PushPayload) => {
    await Promise.all(
      [...ring.targets].map(([token, to]) => deps.sender.send(to, payload(to, token))),
    );
  };

  async function pushRing(ring: Ring): Promise<void> {
    const { from, to } = ring.command;
    const [person, known, quiet] = await Promise.all([
      deps.directory.personByChatName(from),
      deps.store.subscriptionsOf(to),
      deps.store.quietOf(to),
    ]);
    ring.name = person?.name ?? from;
    const here = new Set(calls.sessions(to));
    if (quiet.on) {
      // A connected device replies by itself, and records the call.
      if (here.size === 0 && !ring.ended) await replyQuiet(ring, quiet);
      return;
    }
    for (const subscription of known) {
      if (here.has(subscription.sessionId)) continue;
      ring.targets.set(randomBytes(32).toString("base64url"), subscription);
    }
    // It may have ended while the database answered.
    if (ring.ended) ring.targets.clear();
    await pushAll(ring, (target, token) => ({ kind: "ring", ...payloadOf(ring, target), token }));
  }

  /** Says for a person without a connected device that they do not want to be disturbed. */
  async function replyQuiet({ command }: Ring, { note }: QuietCalls): Promise<void> {
    await sayFor(command, "confirmRing", { status: "false", quiet: "true", note });
  }

  function begin(key: string, command: CallCommand, meta: Uint8Array): void {
    if (rings.has(key)) return;
    const pair = [...rings.values()].filter(
      ({ command: { from, to } }) => from === command.from && to === command.to,
    );
    if (pair.length >= MAX_OF_PAIR) return;
    const ring: Ring = {
      command,
      meta,
      timer: clock.setTimeout(() => {
        end(key, "missed");
        rings.delete(key);
      }, CALL_TIMEOUTS.ring),
      targets: new Map(),
      name: command.from,
      ended: false,
      sending: Promise.resolve(),
    };
    rings.set(key, ring);
    later(ring, () => pushRing(ring));
  }

  function end(key: string, how: RingEnd): void {
    const ring = rings.get(key);
    if (ring === undefined || ring.ended) return;
    ring.ended = true;
    later(ring, () =>
      pushAll(ring, (target) => ({ kind: "end", ...payloadOf(ring, target), how })),
    );
  }

  const running = new Set<Promise<void>>();
  function later(ring: Ring, run: () => Promise<void>): void {
    const sending = ring.sending.then(run).catch((error: unknown) => {
      log.error({ err: error }, "a ring was not pushed");
    });
    ring.sending = sending;
    running.add(sending);
    void sending.finally(() => running.delete(sending));
  }

  /** The answer of the person, in their name, as their console would send it. */
  async function refuse(token: string): Promise<void> {
    const found = [...rings].find(([, ring]) => ring.targets.has(token));
    if (found === undefined) return;
    const [key, ring] = found;
    if (ring.ended) return;
    // The browser that refuses knows of it.
    ring.targets.delete(token);
    end(key, "refused");
    await sayFor(ring.command, "sendAnswer", { result: ANSWER_REFUSE });
  }

  /** Sends what the callee's console would send about this ring. */
  async function sayFor(
    { from: caller, to: callee, callId, channel, type, media, fromUserDevId }: CallCommand,
    action: CallAction,
    more: Readonly<Record<string, string>>,
  ): Promise<void> {
    await calls.send({
      from: callee,
      to: caller,
      action,
      ext: {
        callId,
        channel,
        media,
        type: String(type),
        ts: String(clock.now()),
        fromUser: callee,
        toUser: caller,
        fromUserDevId: "",
        toUserDevId: fromUserDevId,
        ...more,
      },
    });
  }

  /** The caller repeats a ring only until a device answers it, so a browser that has just opened a tab would not hear it. */
  function ringAgain(userName: string): void {
    for (const { command, ended, meta, targets } of rings.values()) {
      if (command.to === userName && !ended && targets.size > 0) calls.sendAgain(userName, meta);
    }
  }

  function hear(message: unknown): void {
    const parsed = newsSchema.safeParse(message);
    if (!parsed.success) {
      log.warn({ topic: TOPIC }, "unreadable message on the bus");
      return;
    }
    const news = parsed.data;
    if (news.t === "end") end(news.key, news.how);
    else if (news.t === "connected") ringAgain(news.userName);
    else {
      refuse(news.token).catch((error: unknown) => {
        log.error({ err: error }, "a refusal was not sent");
      });
    }
  }

  return {
    refuse: (token) => publishNews({ t: "refuse", token }),
    start() {
      closers.push(
        bus.subscribe(TOPIC, hear),
        calls.onConnected((userName) => void publishNews({ t: "connected", userName })),
        calls.onCommand((command, meta) => {
          if (command.action === "sendRing") {
            begin(keyOf(command.callId, command.from, command.to), command, meta);
          }
          const ended = endOf(command);
          if (ended !== null) void publishNews({ t: "end", ...ended });
        }),
      );
    },
    async stop() {
      for (const close of closers.splice(0)) close();
      for (const { timer } of rings.values()) timer.cancel();
      rings.clear();
      await Promise.all(running);
    },
  };
}
