import { expect, test } from "vitest";
import { proxy } from "valtio/vanilla";
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import { initialSlices } from "../../shared/protocol/initial-state.ts";
import { createFakeClock, settle } from "../../workers/core/core.fake.ts";
import type { CoreClient } from "../../core-client/contracts.ts";
import { createSending, notShown, type SendingStorage } from "./sending.ts";

function createStorage(): SendingStorage & { readonly data: Map<string, unknown> } {
  const data = new Map<string, unknown>();
  return {
    data,
    keys: (prefix) => [...data.keys()].filter((key) => key.startsWith(prefix)),
    read: (key) => data.get(key) ?? null,
    write: (key, value) => void data.set(key, value),
    drop: (key) => void data.delete(key),
  };
}

const EMPTY = {
  chatId: "lina",
  name: "李娜",
  unread: 0,
  order: [],
  messages: {},
  historyLoaded: true,
  historyEnd: true,
};

/** A tab whose core answers as `failures` say, then takes messages. */
function createTab(storage = createStorage()) {
  const clock = createFakeClock();
  const slices = initialSlices({ coreId: "c", build: "b", now: 0 });
  const state = Object.fromEntries(
    Object.entries(slices).map(([name, slice]) => [name, proxy(slice)]),
  ) as unknown as CoreClient["state"];
  const failures: ErrorCode[] = [];
  const sent: { text: string; key: string }[] = [];
  let ids = 0;
  let held: Promise<void> | null = null;
  const core = {
    state,
    commands: {
      chat: {
        send: ({ text, key }: { text: string; key: string }) => {
          const failure = failures.shift();
          if (failure !== undefined) return Promise.reject(new AppError(failure));
          sent.push({ text, key });
          const answer = { id: String((ids += 1)) };
          const waits = held;
          held = null;
          return waits === null ? Promise.resolve(answer) : waits.then(() => answer);
        },
      },
    },
  } as unknown as Pick<CoreClient, "commands" | "state">;
  let keys = 0;
  const sending = createSending({
    core,
    storage,
    newId: () => `key-${(keys += 1)}-${storage.data.size}`,
    now: clock.now,
    after: clock.after,
  });
  const logIn = async (accountId: string): Promise<void> => {
    Object.assign(state.session, { status: "authenticated", accountId });
    await settle();
  };
  const logOut = async (): Promise<void> => {
    Object.assign(state.session, { status: "anonymous", accountId: null });
    await settle();
  };
  return {
    clock,
    state,
    failures,
    sent,
    /** The core answers the next command only when the returned function is called. */
    holdNext: (): (() => void) => {
      let answer = (): void => {};
      held = new Promise((resolve) => {
        answer = resolve;
      });
      return answer;
    },
    sending,
    storage,
    logIn,
    logOut,
    texts: () => sending.state.waiting.map(({ text, failed }) => (failed ? `!${text}` : text)),
  };
}

test("messages wait in order while no core takes them, and each is sent once", async () => {
  const tab = createTab();
  await tab.logIn("a1");
  tab.failures.push("core.gone", "core.deadline", "auth.required", "chat.not-connected");
  tab.sending.send("lina", "一");
  tab.sending.send("lina", "二");
  tab.sending.send("lina", "三");
  await settle();
  expect(tab.texts()).toEqual(["一", "二", "三"]);
  for (let s = 0; s < 20; s += 1) {
    tab.clock.advance(1_000);
    await settle();
  }
  expect(tab.sent.map(({ text }) => text)).toEqual(["一", "二", "三"]);
  expect(tab.storage.data.size).toBe(0);
});

test("a bubble stays until the conversation shows the message", async () => {
  const tab = createTab();
  await tab.logIn("a1");
  tab.sending.send("lina", "一");
  await settle();
  expect(tab.texts()).toEqual(["一"]);
  tab.state.chat.conversations["lina"] = {
    ...EMPTY,
    order: ["1"],
    messages: { "1": {} as never },
  };
  await settle();
  expect(tab.texts()).toEqual([]);
});

test("a message is shown once, whether the core shows it before or after it answers the command", async () => {
  for (const shownFirst of [true, false]) {
    const tab = createTab();
    await tab.logIn("a1");
    const answer = tab.holdNext();
    tab.sending.send("lina", "一");
    await settle();
    const key = tab.sent[0]?.key ?? "";
    const show = async (): Promise<number> => {
      const messages = { "1": { key } as never };
      tab.state.chat.conversations["lina"] = { ...EMPTY, order: ["1"], messages };
      const atOnce = notShown(tab.sending.state.waiting, messages).length;
      await settle();
      return atOnce;
    };
    if (shownFirst) {
      expect(await show()).toBe(0);
      expect(tab.texts()).toEqual([]);
      answer();
      await settle();
    } else {
      answer();
      await settle();
      expect(tab.texts()).toEqual(["一"]);
      expect(await show()).toBe(0);
    }
    expect(tab.texts()).toEqual([]);
    expect(tab.storage.data.size).toBe(0);
    expect(tab.sent).toHaveLength(1);
  }
});

test("waiting messages survive a reload under the same key, and a logout for the same person only", async () => {
  const tab = createTab();
  await tab.logIn("a1");
  tab.failures.push("core.gone", "core.gone");
  tab.sending.send("lina", "一");
  tab.sending.send("lina", "二");
  await settle();
  const keys = tab.sending.state.waiting.map(({ key }) => key);
  tab.sending.dispose();

  const reloaded = createTab(tab.storage);
  reloaded.failures.push("core.gone");
  await reloaded.logIn("a1");
  expect(reloaded.sending.state.waiting.map(({ key }) => key)).toEqual(keys);
  await reloaded.logOut();
  expect(reloaded.texts()).toEqual([]);
  await reloaded.logIn("b2");
  expect(reloaded.texts()).toEqual([]);
  await reloaded.logOut();
  await reloaded.logIn("a1");
  reloaded.clock.advance(5_000);
  await settle();
  expect(reloaded.sent.map(({ text, key }) => [text, key])).toEqual([
    ["一", keys[0]],
    ["二", keys[1]],
  ]);
});

test("a refused message is marked, does not block the next one, and can be sent again", async () => {
  const tab = createTab();
  await tab.logIn("a1");
  tab.failures.push("request.invalid");
  tab.sending.send("lina", "一");
  tab.sending.send("lina", "二");
  await settle();
  expect(tab.texts()).toEqual(["!一", "二"]);
  tab.sending.again(tab.sending.state.waiting[0]?.key ?? "");
  await settle();
  expect(tab.sent.map(({ text }) => text)).toEqual(["二", "一"]);
});

test("without a login the text stays in the input", () => {
  expect(createTab().sending.send("lina", "一")).toBe(false);
});
