import { createRequire } from "node:module";
import { expect, test } from "vitest";
import type { Root } from "protobufjs";
import { chatProto, MSyncCodec, MalformedError, MetaCodec, SyncDownCodec } from "./wire.ts";

interface Json {
  fields?: Record<string, { type: string; id: number; rule?: string }>;
  values?: Record<string, number>;
  nested?: Record<string, Json>;
}

/** The SDK's own descriptor. The SDK loads only where some globals of a browser exist, so they are set while it loads. */
function sdkProto(): Root {
  const scope = globalThis as Record<string, unknown>;
  const before = { self: scope["self"], window: scope["window"], log: console.log };
  const kept = new Map<string, string>();
  try {
    scope["self"] = globalThis;
    scope["window"] = globalThis;
    scope["localStorage"] ??= {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    };
    console.log = () => undefined;
    type Module = {
      default?: Module;
      connection?: new (options: object) => { root: Root };
    };
    let sdk: Module = createRequire(import.meta.url)("easemob-websdk") as Module;
    while (sdk.connection === undefined && sdk.default !== undefined) sdk = sdk.default;
    if (sdk.connection === undefined) throw new Error("the SDK has no connection");
    const url = "ws://127.0.0.1:1/websocket";
    return new sdk.connection({
      appKey: "o#a",
      isHttpDNS: false,
      url,
      apiUrl: "http://127.0.0.1:1",
    }).root;
  } finally {
    scope["self"] = before.self;
    if (before.window === undefined) delete scope["window"];
    else scope["window"] = before.window;
    console.log = before.log;
  }
}

/** Every field and enum value, as `path: type number`. */
function lines(json: Json, path = ""): string[] {
  return [
    ...Object.entries(json.fields ?? {}).map(
      ([name, f]) => `${path}.${name}: ${f.rule ?? ""} ${f.type} ${f.id}`,
    ),
    ...Object.entries(json.values ?? {}).map(([name, value]) => `${path}.${name} = ${value}`),
    ...Object.entries(json.nested ?? {}).flatMap(([name, inner]) =>
      lines(inner, `${path}/${name}`),
    ),
  ];
}

test("Every number and type of chat.proto equals the SDK's", () => {
  const theirs = new Set(lines(sdkProto().toJSON() as Json));
  const ours = lines(chatProto.toJSON() as Json);
  expect(ours.length).toBeGreaterThan(150);
  expect(ours.filter((line) => !theirs.has(line))).toEqual([]);
});

test("A frame has the bytes that the SDK writes", () => {
  const value = { command: 3, auth: "token", payload: Uint8Array.of(1, 2), encryptType: [0] };
  const theirs = sdkProto().lookupType("easemob.pb.MSync").encode(value).finish();
  expect([...MSyncCodec.encode(value)]).toEqual([...theirs]);
});

test("64-bit ids survive as text, and an explicit zero is sent", () => {
  const id = "18446744073709551615";
  expect(MetaCodec.decode(MetaCodec.encode({ id, ns: 1 })).id).toBe(id);
  const down = SyncDownCodec.decode(
    SyncDownCodec.encode({ status: { errorCode: 0 }, metaId: id, isLast: false }),
  );
  expect(down).toEqual({ status: { errorCode: 0 }, metaId: id, isLast: false });
});

test("Invalid bytes throw MalformedError", () => {
  const good = MSyncCodec.encode({ command: 3, auth: "token", payload: new Uint8Array(20) });
  expect(() => MSyncCodec.decode(good.subarray(0, good.length - 3))).toThrow(MalformedError);
  // A string field with invalid UTF-8.
  expect(() => MSyncCodec.decode(Uint8Array.of(0x1a, 2, 0xff, 0xfe))).toThrow(MalformedError);
});
