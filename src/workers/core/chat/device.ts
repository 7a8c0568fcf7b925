/** The chat device id of this browser profile. Every core uses the same one, so that the server keeps the queue of undelivered messages over a reconnect. */
import type { CoreEnv } from "../contracts.ts";

const KEY = "chat.device";

export interface Device {
  /** "" until it is loaded. */
  id(): string;
  load(): Promise<string>;
}

export function createDevice(env: Pick<CoreEnv, "kv" | "newId" | "log">): Device {
  let id = "";
  const read = async (): Promise<string> => {
    try {
      // Where this fails, the core has an id of its own, and the stored one stays for the next core.
      const stored = await env.kv.get<unknown>(KEY);
      if (typeof stored === "string" && /^[\w-]{1,64}$/.test(stored)) return stored;
      const fresh = env
        .newId()
        .replaceAll(/[^\w-]/g, "")
        .slice(0, 32);
      id = fresh;
      await env.kv.set(KEY, fresh);
      return fresh;
    } catch {
      env.log("chat", "error", "the device id could not be kept");
      return id === "" ? env.newId().slice(0, 32) : id;
    }
  };
  let loading: Promise<string> | null = null;
  return {
    id: () => id,
    load() {
      loading ??= read().then((found) => (id = found));
      return loading;
    },
  };
}
