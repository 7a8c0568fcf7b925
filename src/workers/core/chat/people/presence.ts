/** Presence of the shown people in the chat slice. The SDK's subscriptions end by time and with the connection. */
import type { CoreEnv, Store, Timer } from "../../contracts.ts";
import type { ChatConnection, PresenceEntry } from "../provider/port.ts";
import { isSafeKey } from "../../../../shared/domain/chat.ts";

/** Maximum number of people per subscription. */
const CHUNK = 100;
/** Lifetime of a subscription in s; it is renewed after half of it. */
const EXPIRY = 86_400;
/** ms during which requests are collected. */
const COLLECT = 50;
/** Maximum number of watched people; the oldest are dropped. */
const WATCHED = 2_000;

export interface Presence {
  /** Keeps the presence of these people in the slice from now on. */
  watch(userNames: readonly string[]): void;
  /** Subscribes again, because the connection is new. */
  opened(): void;
  lost(): void;
  /** Presence events arrived. */
  heard(entries: readonly PresenceEntry[]): void;
  clear(): void;
}

export function createPresence(deps: {
  readonly env: Pick<CoreEnv, "clock" | "log">;
  readonly store: Pick<Store, "get" | "set" | "del">;
  readonly connection: () => ChatConnection | null;
}): Presence {
  const { env, store } = deps;
  const watched = new Set<string>();
  const asked = new Set<string>();
  let timer: Timer | null = null;
  let renewal: Timer | null = null;

  const show = (userName: string, online: boolean): void => {
    if (!isSafeKey(userName)) return;
    if (store.get("chat").online[userName] !== online) {
      store.set(["chat", "online", userName], online);
    }
  };
  const ask = async (): Promise<void> => {
    const names = [...watched].filter((name) => !asked.has(name));
    for (let from = 0; from < names.length; from += CHUNK) {
      const connection = deps.connection();
      if (connection === null) return;
      const chunk = names.slice(from, from + CHUNK);
      for (const name of chunk) asked.add(name);
      try {
        for (const entry of await connection.subscribePresence(chunk, EXPIRY)) {
          show(entry.userName, entry.online === true);
        }
      } catch (error) {
        env.log("chat", "warn", `presence, ${error instanceof Error ? error.message : "error"}`);
      }
    }
  };
  const askSoon = (): void => {
    timer ??= env.clock.after(COLLECT, () => {
      timer = null;
      void ask();
    });
  };
  const renewLater = (): void => {
    renewal = env.clock.after((EXPIRY / 2) * 1000, () => {
      asked.clear();
      askSoon();
      renewLater();
    });
  };
  const stop = (): void => {
    timer?.cancel();
    renewal?.cancel();
    timer = null;
    renewal = null;
    asked.clear();
  };

  return {
    watch(userNames) {
      for (const name of userNames) {
        if (name === "" || watched.has(name)) continue;
        watched.add(name);
      }
      for (const name of watched) {
        if (watched.size <= WATCHED) break;
        watched.delete(name);
        asked.delete(name);
        store.del(["chat", "online", name]);
      }
      if (deps.connection() !== null) askSoon();
    },
    opened() {
      stop();
      askSoon();
      renewLater();
    },
    lost: stop,
    heard(entries) {
      for (const { userName, online } of entries) {
        if (online !== null) show(userName, online);
        else if (watched.has(userName)) asked.delete(userName);
      }
      if (entries.some((entry) => entry.online === null)) askSoon();
    },
    clear() {
      stop();
      watched.clear();
    },
  };
}
