/**
 * Who is connected to the other server processes. Each process announces on the bus when one of its users connects or
 * disconnects, and all its users periodically. A process that falls silent is forgotten together with its users.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Bus, Clock } from "../../../base/module.ts";

const TOPIC = "chat:presence";
/** Milliseconds between two announcements of all users. */
export const TELL_MS = 30_000;
/** A process that missed three announcements is gone. The extra time covers delays of the bus. */
const FORGET_MS = 3 * TELL_MS + 5000;

const newsSchema = z.discriminatedUnion("t", [
  /** A process that just started asks the others for their users. */
  z.object({ t: z.literal("ask"), node: z.string() }),
  z.object({
    t: z.literal("user"),
    node: z.string(),
    userName: z.string(),
    resources: z.array(z.string()),
    /** Logins of these devices. A process of an older build names none. */
    sessions: z.array(z.string()).default([]),
  }),
  z.object({
    t: z.literal("all"),
    node: z.string(),
    users: z.array(z.tuple([z.string(), z.array(z.string())])),
    sessions: z.record(z.string(), z.array(z.string())).default({}),
  }),
]);
type News = z.infer<typeof newsSchema>;
interface User {
  readonly resources: readonly string[];
  readonly sessions: readonly string[];
}

export interface Elsewhere {
  /** Devices of the user at the other processes. */
  resources(userName: string): string[];
  /** Logins of these devices. */
  sessions(userName: string): string[];
  /** Announces that a user's devices at this process changed. */
  announceUser(userName: string, resources: readonly string[], sessions: readonly string[]): void;
  /** Subscribes to the announcements, and asks the other processes for their users. */
  start(): void;
  /** Idempotent. Announces that no user is connected here any more. */
  stop(): void;
}

/**
 * @param deps.here returns all users of this process with their devices
 * @param deps.sessions returns the logins of a user's devices at this process
 */
export function createElsewhere(deps: {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly here: () => [string, string[]][];
  readonly sessions: (userName: string) => string[];
  readonly onError: (error: unknown) => void;
}): Elsewhere {
  const { bus, clock } = deps;
  const node = randomUUID();
  const nodes = new Map<string, { seen: number; users: Map<string, User> }>();
  let timer: { cancel(): void } | null = null;
  let stopListening: (() => void) | null = null;

  const publishNews = (news: News): void => {
    bus.publish(TOPIC, news).catch(deps.onError);
  };
  const publishAll = (): void => {
    const users = deps.here();
    const sessions = Object.fromEntries(users.map(([name]) => [name, deps.sessions(name)]));
    publishNews({ t: "all", node, users, sessions });
  };

  function hear(message: unknown): void {
    const parsed = newsSchema.safeParse(message);
    if (!parsed.success || parsed.data.node === node) return;
    const news = parsed.data;
    if (news.t === "ask") {
      publishAll();
      return;
    }
    const known = nodes.get(news.node) ?? { seen: 0, users: new Map<string, User>() };
    known.seen = clock.now();
    if (news.t === "all") {
      known.users = new Map(
        news.users.map(([name, resources]) => [
          name,
          { resources, sessions: news.sessions[name] ?? [] },
        ]),
      );
    } else if (news.resources.length > 0) known.users.set(news.userName, news);
    else known.users.delete(news.userName);
    nodes.set(news.node, known);
  }

  function tick(): void {
    for (const [id, { seen }] of nodes) if (clock.now() - seen > FORGET_MS) nodes.delete(id);
    publishAll();
    timer = clock.setTimeout(tick, TELL_MS);
  }

  return {
    resources: (userName) =>
      [...nodes.values()].flatMap((n) => n.users.get(userName)?.resources ?? []),
    sessions: (userName) =>
      [...nodes.values()].flatMap((n) => n.users.get(userName)?.sessions ?? []),
    announceUser: (userName, resources, sessions) =>
      publishNews({
        t: "user",
        node,
        userName,
        resources: [...resources],
        sessions: [...sessions],
      }),
    start() {
      stopListening = bus.subscribe(TOPIC, hear);
      publishNews({ t: "ask", node });
      timer = clock.setTimeout(tick, TELL_MS);
    },
    stop() {
      if (timer === null) return;
      timer.cancel();
      timer = null;
      stopListening?.();
      publishNews({ t: "all", node, users: [], sessions: {} });
    },
  };
}
