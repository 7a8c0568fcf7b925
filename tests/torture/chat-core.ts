/** A process with one core's chat, for a test that kills it: its storage is in the parent, as a browser's outlives its worker. */
import { loadSdk } from "../../src/server/modules/chat/groups/sdk.harness.ts";
import type { SessionUser } from "../../src/workers/core/contracts.ts";
import { startGroupCore } from "../server/group-core.ts";

export type ToCore =
  | { readonly kv: number; readonly value: unknown }
  | { readonly id: number; readonly run: string; readonly given: unknown }
  | { readonly id: number; readonly look: string }
  | { readonly cut: true };
export type FromCore =
  | {
      readonly kv: number;
      readonly op: "get" | "set" | "del";
      readonly key: string;
      readonly value?: unknown;
    }
  | { readonly id: number; readonly value?: unknown; readonly error?: string };

const sendToParent = (message: FromCore): void => void process.send?.(message);
const { origin, token, user } = JSON.parse(process.argv[2] ?? "{}") as {
  origin: string;
  token: string;
  user: SessionUser;
};

// A browser's worker survives what nobody catches.
process.on("unhandledRejection", () => undefined);
loadSdk();
const open = new Set<{ terminate(): void }>();
globalThis.WebSocket = new Proxy(globalThis.WebSocket, {
  construct(target, [url]: [string]) {
    const socket = new target(url);
    open.add(socket as never);
    // A browser's socket without a listener fails silently.
    socket.addEventListener("error", () => undefined);
    socket.addEventListener("close", () => open.delete(socket as never));
    return socket;
  },
});

const asked = new Map<number, (value: unknown) => void>();
let serial = 0;
const ask = (op: "get" | "set" | "del", key: string, value?: unknown): Promise<unknown> =>
  new Promise((resolve) => {
    serial += 1;
    asked.set(serial, resolve);
    sendToParent({ kv: serial, op, key, value });
  });
const core = startGroupCore({
  origin,
  token,
  user,
  kv: {
    get: (key) => ask("get", key) as never,
    set: async (key, value) => void (await ask("set", key, value)),
    del: async (key) => void (await ask("del", key)),
  },
});
const handlers = core.chat.handlers as unknown as Record<
  string,
  (given: unknown, context: unknown) => Promise<unknown>
>;

process.on("message", (message: ToCore) => {
  if ("kv" in message) {
    asked.get(message.kv)?.(message.value);
    asked.delete(message.kv);
  } else if ("cut" in message) for (const socket of open) socket.terminate();
  else if ("look" in message) {
    const chat = core.store.get("chat");
    const conversation = chat.conversations[message.look] ?? null;
    sendToParent({ id: message.id, value: { connection: chat.connection, conversation } });
  } else {
    const { id, run, given } = message;
    Promise.resolve()
      .then(() => handlers[run]?.(given, { tabId: "t", id: `c${id}` }))
      .then(
        (value) => sendToParent({ id, value }),
        (error: unknown) =>
          sendToParent({ id, error: error instanceof Error ? error.message : "failed" }),
      );
  }
});
process.on("disconnect", () => process.exit(0));
