import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import type { FromInflate, ToInflate } from "../../../shared/protocol/inflate.ts";
import type { Inflate, Inflated } from "../contracts.ts";
import { createInflateServer } from "./inflate-server.ts";
import { createInflateThread, type InflateWorker } from "./inflate-thread.ts";
import { openReader } from "./index.ts";
import { xlsxOf } from "../../../../tests/import/xlsx-of.ts";

/** A thread that is none: messages are copied and come later, as between threads. */
function fakeWorker() {
  const asked: ToInflate[] = [];
  const said: FromInflate[] = [];
  let terminated = false;
  const worker: InflateWorker = {
    onmessage: null,
    onerror: null,
    postMessage(message) {
      asked.push(message);
      // a Blob is handed over as it is
      void Promise.resolve().then(() => terminated || serve(message));
    },
    terminate() {
      terminated = true;
    },
  };
  const serve = createInflateServer((message) => {
    said.push(message);
    const copy = structuredClone(message);
    setTimeout(() => {
      if (!terminated) worker.onmessage?.({ data: copy } as MessageEvent<unknown>);
    });
  });
  return { worker, asked, said, chunks: () => said.filter((one) => "chunk" in one).length };
}

/** So random that it stays above the size from which the thread is asked. */
const noise = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  let x = 1;
  for (let i = 0; i < length; i += 1) {
    x = (Math.imul(x, 1_103_515_245) + 12_345) & 0x7fffffff;
    bytes[i] = x >>> 16;
  }
  return bytes;
};
const packed = (bytes: Uint8Array): Blob => new Blob([new Uint8Array(deflateRawSync(bytes))]);
async function all(inflated: Inflated): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let c = await inflated.next(); c !== null; c = await inflated.next()) parts.push(c);
  return Buffer.concat(parts);
}
const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

test("what is large is inflated there, what is small here", async () => {
  const { worker, asked } = fakeWorker();
  const { inflate } = createInflateThread(() => worker);
  const large = noise(5_000_000);
  expect(same(await all(inflate(packed(large))), large)).toBe(true);
  const there = asked.length;
  expect(there).toBeGreaterThan(5);
  const small = noise(1000);
  expect(same(await all(inflate(packed(small))), small)).toBe(true);
  expect(asked).toHaveLength(there);
});

test("two at a time are kept apart", async () => {
  const { inflate } = createInflateThread(() => fakeWorker().worker);
  const [a, b] = [noise(3_000_000), noise(4_000_000).toReversed()];
  const [x, y] = await Promise.all([all(inflate(packed(a))), all(inflate(packed(b)))]);
  expect([same(x, a), same(y, b)]).toEqual([true, true]);
});

test("it runs ahead by no more than eight chunks, and ends when nobody wants more", async () => {
  const { worker, asked, chunks } = fakeWorker();
  const { inflate } = createInflateThread(() => worker);
  const inflated = inflate(packed(noise(8_000_000)));
  await inflated.next();
  await expect.poll(chunks).toBe(9);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(chunks()).toBe(9);
  inflated.close();
  inflated.close();
  expect(asked.filter((message) => "cancel" in message)).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(chunks()).toBe(9);
});

test("bad data and a file that is gone are told apart", async () => {
  const { inflate } = createInflateThread(() => fakeWorker().worker);
  await expect(all(inflate(new Blob([new Uint8Array(600_000).fill(255)])))).rejects.toThrow(
    "cannot be inflated",
  );
  const gone = {
    size: 600_000,
    slice: () => ({ arrayBuffer: () => Promise.reject(new Error("NotReadableError")) }),
  } as unknown as Blob;
  await expect(all(inflate(gone))).rejects.toMatchObject({ code: "import.corrupt" });
});

test("a thread that breaks down in the middle costs no byte, and one that never was none either", async () => {
  const { worker } = fakeWorker();
  const broken = createInflateThread(() => worker);
  const bytes = noise(5_000_000);
  const inflated = broken.inflate(packed(bytes));
  const first = await inflated.next();
  worker.onerror?.(new Event("error") as ErrorEvent);
  const rest = await all(inflated);
  expect(same(Buffer.concat([first ?? new Uint8Array(0), rest]), bytes)).toBe(true);
  const never = createInflateThread(() => {
    throw new Error("no workers in here");
  });
  expect(same(await all(never.inflate(packed(bytes))), bytes)).toBe(true);
  never.close();
  broken.close();
});

test("a workbook is the same by way of the thread", async () => {
  const { worker, asked } = fakeWorker();
  const { inflate } = createInflateThread(() => worker);
  const wanted = Array.from({ length: 40_000 }, (_, i) => [
    `工号${Math.imul(i, 2_654_435_761) >>> 0}`,
    `${Math.imul(i + 7, 40_503_977) >>> 0}`,
    i,
  ]);
  const file = await xlsxOf(wanted);
  const { signal } = new AbortController();
  const read = async (by?: Inflate) => {
    const reader = await openReader(file, "", signal, by);
    const batches: unknown[] = [];
    const { rows, strings } = await reader.read({ source: {}, maxRows: Infinity, signal }, (b) =>
      batches.push(b),
    );
    return { rows, batches, count: strings.count };
  };
  const there = await read(inflate);
  expect(asked.length).toBeGreaterThan(0);
  expect(there).toEqual(await read());
  expect(there.rows).toBe(40_000);
});
