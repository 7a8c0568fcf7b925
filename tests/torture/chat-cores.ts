/** Cores in processes of their own, for tests that kill them; and what their devices must agree on. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DEMO_PASSWORD } from "../../src/server/base/database/seed.ts";
import { basic } from "../../src/server/platform.harness.ts";
import type { ChatSlice } from "../../src/shared/protocol/state.ts";
import type { TestServer } from "../support/server.ts";
import type { FromCore, ToCore } from "./chat-core.ts";

export interface Look {
  readonly connection: string;
  readonly conversation: ChatSlice["conversations"][string] | null;
}
export interface Core {
  /** Runs a command as a tab does: again at the next core, until one has answered. */
  run(command: string, given: object): Promise<unknown>;
  look(): Promise<Look>;
  /** Reads the page before the oldest message, as a tab does that scrolls up. A failure is left to the next attempt. */
  scrollUp(): Promise<void>;
  kill(): void;
  cut(): void;
  stop(): void;
}

/** @returns the access token of a person of the demo */
export async function tokenOf(server: TestServer, name: string): Promise<string> {
  const login = await fetch(`${server.url}/uaa/login/username`, {
    method: "POST",
    headers: { authorization: basic("sec-web-company-admin") },
    body: new URLSearchParams({ username: name, password: DEMO_PASSWORD, grant_type: "password" }),
  });
  const { data } = (await login.json()) as { data: { access_token: string } };
  return data.access_token;
}

/** @param peer the conversation to look at: a user name, or # and the id of a group */
export async function startCore(server: TestServer, name: string, peer: string): Promise<Core> {
  const token = await tokenOf(server, name);
  const account = await fetch(`${server.url}/uaa/api/account`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data: info } = (await account.json()) as { data: { id: string } };
  const user = { accountId: info.id, username: name, name, supplierId: "1" };
  const argument = JSON.stringify({ origin: server.url, token, user });

  const kept = new Map<string, unknown>();
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let serial = 0;
  let child: ChildProcess | null = null;
  let stopped = false;
  function spawn(): void {
    const started = fork(join(import.meta.dirname, "chat-core.ts"), [argument], {
      execArgv: ["--import", "tsx"],
      serialization: "advanced",
    });
    child = started;
    started.on("message", (message: FromCore) => {
      if ("kv" in message) {
        if (message.op === "set") kept.set(message.key, message.value);
        if (message.op === "del") kept.delete(message.key);
        if (started.connected) {
          const answer: ToCore = { kv: message.kv, value: kept.get(message.key) };
          // A process that was killed a moment ago still counts as connected, and the pipe breaks.
          started.send(answer, () => undefined);
        }
        return;
      }
      const call = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error === undefined) call?.resolve(message.value);
      else call?.reject(new Error(message.error));
    });
    started.once("exit", () => {
      if (child !== started) return;
      for (const { reject } of waiting.values()) reject(new Error("dead"));
      waiting.clear();
      if (stopped) return;
      spawn();
      // As a tab does that shows the conversation. The next core may die before it has answered.
      call({ run: "open", given: { chatId: peer, name: peer } }).catch(() => undefined);
    });
  }
  spawn();
  const call = (message: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      serial += 1;
      waiting.set(serial, { resolve, reject });
      const onSent = (error: Error | null): void => {
        if (error !== null) reject(new Error("dead"));
      };
      if (child?.connected === true) child.send({ ...message, id: serial }, onSent);
      else reject(new Error("dead"));
    });
  return {
    async run(command, given) {
      for (;;) {
        try {
          return await call({ run: command, given });
        } catch (error) {
          if (!(error instanceof Error && error.message === "dead")) throw error;
          await pause(50);
        }
      }
    },
    async look() {
      for (;;) {
        try {
          return (await call({ look: peer })) as Look;
        } catch {
          await pause(50);
        }
      }
    },
    async scrollUp() {
      await call({ run: "older", given: { chatId: peer } }).catch(() => undefined);
    },
    kill: () => void child?.kill("SIGKILL"),
    cut() {
      if (child?.connected === true) child.send({ cut: true } satisfies ToCore);
    },
    stop() {
      stopped = true;
      child?.kill("SIGKILL");
    },
  };
}

/** What both sides must agree on, of the last messages. */
export function shown(look: Look, count: number): string[] {
  const { order = [], messages = {} } = look.conversation ?? {};
  return order.slice(-count).map((id) => {
    const message = messages[id];
    const reactions = (message?.reactions ?? [])
      .map((one) => one.reaction)
      .sort()
      .join("");
    const gone = message?.status === "recall";
    return `${message?.mid} ${message?.from} ${gone ? "recalled" : `${message?.msg} ${reactions}`}`;
  });
}

/** Whether the server's ids, with which the lines begin, ascend. */
export const isOrdered = (lines: readonly string[]): boolean => {
  const ids = lines.map((line) => line.split(" ")[0] ?? "").filter((id) => id !== "null");
  return ids.every((id, n) => n === 0 || BigInt(ids[n - 1] ?? "0") < BigInt(id));
};
