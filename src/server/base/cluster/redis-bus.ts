/**
 * The bus over Redis, for several server processes on one PostgreSQL. One pattern subscription covers all topics from the
 * start. So no message is lost between adding a handler and a subscription taking effect. Messages reach handlers in this
 * process directly, without Redis. While Redis is unreachable, the processes do not hear each other and continue on their own; what
 * they publish then is lost. Once they hear each other again, all of them get AGAIN.
 */
import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import type { Logger } from "pino";
import { z } from "zod";
import type { Bus } from "../module.ts";
import { AGAIN, createLocalBus } from "./bus.ts";

const envelopeSchema = z.object({ from: z.string(), message: z.unknown() });
/** Milliseconds that startup waits for Redis. */
const START_MS = 10_000;
/** Milliseconds in which several interruptions, and those of other processes, count as one. */
const GATHER_MS = 200;

/**
 * @param options.scope isolates platforms that share one Redis, because channels span all its databases
 * @throws Error when Redis does not answer at startup
 */
export async function createRedisBus(options: {
  readonly url: string;
  readonly scope: string;
  readonly log: Logger;
}): Promise<Bus> {
  const { url, log } = options;
  const prefix = `console:${options.scope}:`;
  const self = randomUUID();
  const local = createLocalBus(log);
  const connect = (): Redis => {
    const redis = new Redis(url, {
      lazyConnect: true,
      maxRetriesPerRequest: 2,
      retryStrategy: (times) => Math.min(2000, times * 100),
    });
    redis.on("error", (error) => log.warn({ err: error }, "the bus has lost Redis"));
    return redis;
  };
  const speaker = connect();
  const listener = connect();

  listener.on("pmessage", (_pattern: string, channel: string, text: string) => {
    let parsed: ReturnType<typeof envelopeSchema.safeParse>;
    try {
      parsed = envelopeSchema.safeParse(JSON.parse(text));
    } catch {
      return;
    }
    if (!parsed.success || parsed.data.from === self) return;
    if (channel === prefix + AGAIN) sayAgain();
    else void local.publish(channel.slice(prefix.length), parsed.data.message);
  });

  const send = (topic: string, message: unknown): Promise<unknown> =>
    speaker.publish(`${prefix}${topic}`, JSON.stringify({ from: self, message }));

  let gathering: NodeJS.Timeout | undefined;
  function sayAgain(): void {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      void local.publish(AGAIN, null);
    }, GATHER_MS);
  }
  /** Whether messages of this process, or to it, may have been lost. */
  let interrupted = false;
  async function restore(): Promise<void> {
    if (!interrupted || speaker.status !== "ready" || listener.status !== "ready") return;
    interrupted = false;
    try {
      // A connection that is ready is not yet subscribed. The answer comes when it is.
      await listener.psubscribe(`${prefix}*`);
      // The others have noticed nothing when only this process was cut off, but they lack what it published.
      await send(AGAIN, null);
    } catch (error) {
      interrupted = true;
      log.warn({ err: error }, "the other processes do not know yet that messages were lost");
      return;
    }
    sayAgain();
  }

  const start = async (): Promise<void> => {
    await Promise.all([speaker.connect(), listener.connect()]);
    // The scope is a digest, so it contains no pattern characters.
    await listener.psubscribe(`${prefix}*`);
  };
  let late: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      start(),
      new Promise((_, reject) => {
        late = setTimeout(() => reject(new Error("Redis does not answer")), START_MS);
      }),
    ]);
  } catch (error) {
    speaker.disconnect();
    listener.disconnect();
    throw new Error("the bus between server processes (REDIS_URL) cannot be reached", {
      cause: error,
    });
  } finally {
    clearTimeout(late);
  }
  for (const redis of [speaker, listener]) {
    redis.on("close", () => {
      interrupted = true;
    });
    redis.on("ready", () => void restore());
  }

  return {
    async publish(topic, message) {
      await local.publish(topic, message);
      try {
        await send(topic, message);
        // Redis had refused an earlier message although the connection held.
        await restore();
      } catch (error) {
        interrupted = true;
        log.warn({ err: error, topic }, "a message did not reach the other processes");
      }
    },
    subscribe: (topic, handler) => local.subscribe(topic, handler),
    reach: () => (speaker.status === "ready" && listener.status === "ready" ? "up" : "away"),
    async close() {
      clearTimeout(gathering);
      await local.close();
      speaker.disconnect();
      listener.disconnect();
    },
  };
}
