/** Where the files of downloads come from (docs/session.md#downloads). */
import { expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { DownloadSource } from "../../../shared/protocol/commands/downloads.ts";
import { defineCall, type RestCall } from "../../../shared/protocol/rest/index.ts";
import type { CallOptions, FileHttp } from "../contracts.ts";
import { createFakeClock, createFakeOnline, settle } from "../core.fake.ts";
import { createFetchPiece } from "./sources.ts";

const shared = { path: "/things", method: "GET", summary: "", auth: "bearer" } as const;
const sheet = defineCall({ ...shared, id: "things.sheet", download: true, file: true });
const list = defineCall({ ...shared, id: "things.list", page: true });
const FILE = { kind: "file", fileName: `${"a".repeat(22)}.pdf` } as const;
const SHEET = { kind: "call", call: sheet.id, query: { a: 1 } } as const;

interface Asked {
  readonly id: string;
  readonly input: unknown;
  readonly range: unknown;
  readonly options: CallOptions;
  resolve(answer: unknown): void;
}

function setUp() {
  const clock = createFakeClock();
  const online = createFakeOnline();
  const asked: Asked[] = [];
  const ask = (id: string, input: unknown, range: unknown, options: CallOptions = {}) =>
    new Promise<never>((resolve, reject) => {
      options.signal?.addEventListener("abort", () => reject(new AppError("request.cancelled")));
      asked.push({ id, input, range, options, resolve: resolve as (answer: unknown) => void });
    });
  const fetchPiece = createFetchPiece({
    env: { clock, online },
    http: {
      file: (call: RestCall, input: unknown, options?: CallOptions) =>
        ask(call.id, input, null, options),
      part: (call: RestCall, input: unknown, range: unknown, options?: CallOptions) =>
        ask(call.id, input, range, options),
    } as FileHttp,
    readGroupFile: (file, options) => ask("group", file, null, options),
    calls: [sheet, list],
  });
  const control = new AbortController();
  const received: (number | null)[][] = [];
  return {
    clock,
    online,
    asked,
    control,
    received,
    fetch: (source: DownloadSource, from = 0) =>
      fetchPiece({
        source,
        supplierId: "s1",
        from,
        onReceived: (...given) => void received.push(given),
        signal: control.signal,
      }),
  };
}

it("A stored file is asked for in parts, a small one first", async () => {
  const { asked, fetch, received } = setUp();
  const first = fetch(FILE);
  void fetch(FILE, 262_144);
  expect(asked.map(({ range }) => range)).toEqual([
    { from: 0, bytes: 262_144 },
    { from: 262_144, bytes: 2_097_152 },
  ]);
  expect(asked[0]).toMatchObject({
    id: "files.download",
    input: { query: { fileName: FILE.fileName } },
    options: { supplierId: "s1", timeout: 0 },
  });
  // The length of an answer is that of the part.
  asked[0]?.options.onReceived?.(10, 262_144);
  expect(received).toEqual([[10, null]]);
  const part = { blob: new Blob(["ab"]), size: 9, whole: false };
  asked[0]?.resolve(part);
  expect(await first).toBe(part);
});

it("A workbook and a file of a group come whole, and are as large as the answer says", async () => {
  const { asked, fetch, received } = setUp();
  const workbook = fetch(SHEET);
  const groupFile = { kind: "groupFile", groupId: "7", fileId: crypto.randomUUID() } as const;
  const other = fetch(groupFile);
  expect(asked.map(({ id, input }) => [id, input])).toEqual([
    [sheet.id, { params: undefined, query: { a: 1 }, body: undefined }],
    ["group", groupFile],
  ]);
  asked[0]?.options.onReceived?.(10, 20);
  expect(received).toEqual([[10, 20]]);
  for (const one of asked) one.resolve(new Blob(["abc"]));
  for (const piece of [await workbook, await other]) {
    expect(piece).toMatchObject({ size: 3, whole: true });
  }
});

it("Only calls that say so are made", async () => {
  const { asked, fetch } = setUp();
  for (const call of [list.id, "toString", "things.none"]) {
    await expect(fetch({ kind: "call", call })).rejects.toMatchObject({ code: "core.bad-message" });
  }
  expect(asked).toEqual([]);
});

it("A request without a byte for two minutes counts as lost; each byte starts them again", async () => {
  const { asked, clock, fetch } = setUp();
  let failure: unknown = null;
  fetch(SHEET).catch((error: unknown) => {
    failure = error;
  });
  clock.advance(119_000);
  asked[0]?.options.onReceived?.(1, null);
  clock.advance(119_000);
  await settle();
  expect(failure).toBeNull();
  clock.advance(1_000);
  await settle();
  expect(failure).toMatchObject({ code: "network.timeout" });
  expect(clock.pending).toBe(0);
});

it("A request on which nothing has moved counts as lost when the network is back", async () => {
  const { clock, online, fetch } = setUp();
  const failed = fetch(FILE).catch((error: unknown) => AppError.from(error).code);
  clock.advance(10_000);
  online.set(false);
  online.set(true);
  expect(await failed).toBe("network.timeout");
  expect(clock.pending).toBe(0);
});

it("A request that is ended is no lost one, and leaves no timer", async () => {
  const { clock, control, fetch } = setUp();
  const cancelled = expect(fetch(SHEET)).rejects.toMatchObject({ code: "request.cancelled" });
  control.abort();
  await cancelled;
  expect(clock.pending).toBe(0);
});
