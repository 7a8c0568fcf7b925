import { describe, expect, test } from "vitest";
import type { z } from "../shared/zod.ts";
import { rpcResultSchema } from "../shared/protocol/rpc-result.ts";
import { coreToTabSchema } from "../shared/protocol/state.ts";
import { helloAnswerSchema } from "../shared/protocol/tab-port.ts";
import { watchEventSchema } from "../shared/protocol/watch-port.ts";
import { readCoreToTab, readHelloAnswer, readRpcResult, readWatchEvent } from "./received.ts";

const error = { code: "core.gone", message: "甲", retryable: true, details: { a: 1 } };
const plain = { code: "core.gone", message: "甲", retryable: false };
const notice = { id: "1", style: "info", text: "甲", key: "a" };
const answer = { state: "ready", data: { a: [1] }, error: null, at: 5 };

const READERS: readonly [
  name: string,
  read: (data: unknown) => unknown,
  schema: z.ZodType,
  right: readonly object[],
][] = [
  [
    "coreToTab",
    readCoreToTab,
    coreToTabSchema,
    [
      { t: "snapshot", epoch: "e", seq: 1, slices: { chat: {} } },
      { t: "ops", epoch: "e", seq: 2, ops: [], at: 1.5 },
      { t: "ops", epoch: "e", seq: 2, ops: [["set", ["chat"], {}]], at: 1 },
      { t: "ops", epoch: "e", seq: 2, ops: [["del", ["chat", "a", 0]]], at: 1 },
      { t: "notice", notice },
      { t: "notice", notice: { ...notice, code: "core.gone", args: { n: 1, s: "b" } } },
      { t: "notice", notice: { ...notice, duration: 0 } },
      { t: "retired", build: "b" },
      { t: "retired", build: null },
    ],
  ],
  [
    "helloAnswer",
    readHelloAnswer,
    helloAnswerSchema,
    [
      { t: "welcome", coreId: "c", startedAt: 1 },
      { t: "refused", error },
      { t: "refused", error: plain },
    ],
  ],
  [
    "rpcResult",
    readRpcResult,
    rpcResultSchema,
    [
      { ok: true, value: { a: 1 } },
      { ok: true, value: null },
      { ok: false, error },
      { ok: false, error: plain },
    ],
  ],
  [
    "watchEvent",
    readWatchEvent,
    watchEventSchema,
    [
      { id: 1, answer },
      { id: 2, answer: { state: "failed", data: null, error, at: null } },
      { id: 3, answer: { state: "loading", data: undefined, error: plain, at: 0 } },
    ],
  ],
];

const STRANGE = [
  null,
  "",
  "x",
  0,
  1,
  1.5,
  -1,
  NaN,
  Infinity,
  2 ** 60,
  true,
  false,
  [],
  {},
  [1],
  { a: 1 },
];

/** The message with one part replaced by each strange value, at every depth. */
function* changed(value: unknown): Generator<unknown> {
  yield* STRANGE;
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    for (const other of changed(part)) {
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[key] = other;
      yield copy;
    }
    // a key of another name; an element less
    if (Array.isArray(value)) yield value.filter((_, at) => String(at) !== key);
    else yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  }
  yield Array.isArray(value) ? [...(value as unknown[]), 1] : { ...value, strange: 1 };
}

describe.each(READERS)("%s", (_name, read, schema, right) => {
  test("every right message gives what its schema gives", () => {
    for (const message of right) {
      expect(read(message), JSON.stringify(message)).toEqual(schema.parse(message));
    }
  });

  test("a message with one part changed is taken or refused as its schema does", () => {
    const verdicts = { taken: 0, refused: 0 };
    for (const message of right.flatMap((one) => [...changed(one)])) {
      const { success } = schema.safeParse(message);
      verdicts[success ? "taken" : "refused"] += 1;
      expect(read(message) !== null, JSON.stringify(message)).toBe(success);
    }
    expect(verdicts.taken).toBeGreaterThan(0);
    expect(verdicts.refused).toBeGreaterThan(30);
  });
});
