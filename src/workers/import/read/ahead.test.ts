import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import type { FromAhead, ToAhead } from "../../../shared/protocol/read-ahead.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Ahead, Pieces } from "../contracts.ts";
import { createAheadServer } from "./ahead-server.ts";
import { createAheadThread, type AheadWorker } from "./ahead-thread.ts";
import { columnName } from "./faults.ts";
import { allTexts, openReader, rowsOf } from "./index.ts";
import { xlsxOf } from "../../../server/base/xlsx/workbook.harness.ts";
import { aMoment } from "../../../server/base/moment.harness.ts";

const toEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A fake thread: messages are copied and arrive later, as between real threads. */
function fakeWorker(sheetChunk?: number, pause: () => Promise<void> = toEventLoop) {
  const asked: ToAhead[] = [];
  const said: FromAhead[] = [];
  let terminated = false;
  const worker: AheadWorker = {
    onmessage: null,
    onerror: null,
    postMessage(message, transfer = []) {
      asked.push(message);
      // A Blob is passed by reference.
      const copy = "packed" in message ? message : structuredClone(message, { transfer });
      void Promise.resolve().then(() => terminated || serve(copy));
    },
    terminate() {
      terminated = true;
    },
  };
  const serve = createAheadServer(
    (message, transfer = []) => {
      const copy = structuredClone(message, { transfer });
      said.push(copy);
      setTimeout(() => {
        if (!terminated) worker.onmessage?.({ data: copy } as MessageEvent<unknown>);
      });
    },
    pause,
    sheetChunk,
  );
  const count = (kind: string) => said.filter((one) => kind in one).length;
  return { worker, asked, said, count };
}

/** A thread that has already reported that it is ready. */
function readyThread(worker: AheadWorker, worth?: number) {
  const thread = createAheadThread(() => worker, worth);
  worker.onmessage?.({ data: { ready: true } } as MessageEvent<unknown>);
  return thread;
}

/** Random bytes hardly shrink, so they stay above the size from which the thread is used. */
const noise = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  let x = 1;
  for (let i = 0; i < length; i += 1) {
    x = (Math.imul(x, 1_103_515_245) + 12_345) & 0x7fffffff;
    bytes[i] = x >>> 16;
  }
  return bytes;
};
/** Without compression, which costs most of the time and changes nothing for bytes that hardly shrink. */
const packed = (bytes: Uint8Array): Blob =>
  new Blob([new Uint8Array(deflateRawSync(bytes, { level: 0 }))]);
async function all(inflated: Pieces<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let c = await inflated.next(); c !== null; c = await inflated.next()) parts.push(c.slice());
  return Buffer.concat(parts);
}
const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

test("Large data is inflated on the thread; small data, and all data while the thread starts, is inflated here", async () => {
  const { worker, asked } = fakeWorker();
  const { inflate } = readyThread(worker);
  const large = noise(5_000_000);
  expect(same(await all(inflate(packed(large))), large)).toBe(true);
  const there = asked.length;
  expect(there).toBeGreaterThan(5);
  const late = fakeWorker();
  const beginning = createAheadThread(() => late.worker);
  expect(same(await all(beginning.inflate(packed(large))), large)).toBe(true);
  expect(late.asked).toHaveLength(0);
  const small = noise(1000);
  expect(same(await all(inflate(packed(small))), small)).toBe(true);
  expect(asked).toHaveLength(there);
});

test("Two jobs at the same time do not mix their bytes", async () => {
  const { inflate } = readyThread(fakeWorker().worker);
  const [a, b] = [noise(3_000_000), noise(4_000_000).toReversed()];
  const [x, y] = await Promise.all([all(inflate(packed(a))), all(inflate(packed(b)))]);
  expect([same(x, a), same(y, b)]).toEqual([true, true]);
});

test("The thread is at most sixty-four chunks ahead, and stops when its reader closes", async () => {
  const { worker, asked, count } = fakeWorker();
  const { inflate } = readyThread(worker);
  const inflated = inflate(packed(noise(20_000_000)));
  await inflated.next();
  await expect.poll(() => count("chunk")).toBe(64);
  await aMoment();
  expect(count("chunk")).toBe(64);
  inflated.close();
  inflated.close();
  expect(asked.filter((message) => "cancel" in message)).toHaveLength(1);
  await aMoment();
  expect(count("chunk")).toBe(64);
});

test("Bad data and an unreadable file give different errors", async () => {
  const { inflate } = readyThread(fakeWorker().worker);
  await expect(all(inflate(new Blob([new Uint8Array(600_000).fill(255)])))).rejects.toThrow(
    "cannot be inflated",
  );
  const gone = {
    size: 600_000,
    slice: () => ({ arrayBuffer: () => Promise.reject(new Error("NotReadableError")) }),
  } as unknown as Blob;
  await expect(all(inflate(gone))).rejects.toMatchObject({ code: "import.corrupt" });
});

test("A thread that fails half-way, or that cannot be started, costs no byte", async () => {
  const { worker } = fakeWorker();
  const broken = readyThread(worker);
  const bytes = noise(5_000_000);
  const inflated = broken.inflate(packed(bytes));
  const first = (await inflated.next())?.slice();
  worker.onerror?.(new Event("error") as ErrorEvent);
  const rest = await all(inflated);
  expect(same(Buffer.concat([first ?? new Uint8Array(0), rest]), bytes)).toBe(true);
  const never = createAheadThread(() => {
    throw new Error("no workers can be started here");
  });
  expect(same(await all(never.inflate(packed(bytes))), bytes)).toBe(true);
  never.close();
  broken.close();
});

test("The second job starts when the first is inflated, or when a reader waits for it", async () => {
  const { worker, asked } = fakeWorker();
  const { inflate } = readyThread(worker);
  const begun = () => asked.filter((message) => "packed" in message).length;
  const first = inflate(packed(noise(20_000_000)));
  const second = inflate(packed(noise(1_000_000)));
  const third = inflate(packed(noise(1_000_000)));
  await first.next();
  expect(begun()).toBe(1);
  await second.next();
  expect(begun()).toBe(2);
  first.close();
  expect(begun()).toBe(2);
  second.close();
  expect(begun()).toBe(3);
  third.close();
});

const { signal } = new AbortController();

/** The result of a whole read as rows. Batches are split up, because where a batch ends is up to the reader. */
async function readAll(file: Blob, ahead?: Ahead) {
  const rows: unknown[] = [];
  let strings: readonly string[] = [];
  try {
    const reader = await openReader(file, "", signal, ahead);
    const outcome = await reader.read(
      { source: {}, maxRows: Infinity, signal, onStrings: (table) => (strings = allTexts(table)) },
      (batch) => {
        const made = rowsOf(batch, strings, batch.width, false);
        // A batch can be wider than its widest row.
        for (const [r, cells] of made.entries()) {
          while (cells.at(-1) === null) cells.pop();
          rows.push({ number: batch.rowNumbers[r], cells });
        }
      },
    );
    const { rows: count, width, warnings } = outcome;
    return { rows, count, width, warnings };
  } catch (error) {
    const { code, message, details } = AppError.from(error);
    return { code, message, details };
  }
}

test("A workbook that is read through the thread gives the same rows", async () => {
  const { worker, asked, count } = fakeWorker(4096);
  const ahead = readyThread(worker, 0);
  const wanted = Array.from({ length: 40_000 }, (_, i) => [
    `工号${Math.imul(i, 2_654_435_761) >>> 0}`,
    `${Math.imul(i + 7, 40_503_977) >>> 0}`,
    i,
  ]);
  const file = await xlsxOf(wanted);
  const there = await readAll(file, ahead);
  expect(asked.length).toBeGreaterThan(0);
  expect(count("rows")).toBeGreaterThan(0);
  expect(there).toEqual(await readAll(file));
  expect(there).toMatchObject({ count: 40_000 });
});

/** Pseudo-random numbers that are the same in each run. */
function random(seed: number): (below: number) => number {
  let x = Math.imul(seed, 2_654_435_761);
  return (below) => {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((x / 2 ** 32) * below);
  };
}

const ODD_CELLS = [
  '<c r="REF"/>',
  "<c><v>7</v></c>",
  "<c r='REF' s='1'><v>45000.5</v></c>",
  '<c r="REF" t="str"><v>a &amp; _x0041_</v></c>',
  '<c r="REF" t="b"><v>1</v></c>',
  '<c r="REF"><f>SUM(A1:A2)</f></c>',
  '<c r="REF"><v>123456789012345678</v></c>',
  '<c r="REF" t="inlineStr"><is><r><t>甲</t></r><r><t xml:space="preserve"> ! 乙</t></r></is></c>',
] as const;
/** Content that makes a chunk unfit to be read alone, or looks as if it did. */
const ODD_ROWS = [
  "<row><c><v>1</v></c></row>",
  '<row r="ROW"/>',
  '<row hidden="1" r="ROW"><c r="AROW"><v>5</v></c></row>',
  "<row r='ROW'><c r='AROW'><v>5</v></c></row>",
  '<row r="ROW" spans="1:2"><c r="AROW" t="s"><v>SHARED</v></c></row>\r\n\t',
  '<row r="ROW"><c r="AROW" t="inlineStr"><is><t><![CDATA[</row><row r="1"><c r="A1"><v>9</v></c></row>]]></t></is></c></row>',
  '<!-- </row><row r="1"><c r="A1"><v>9</v></c></row> --><row r="ROW"><c r="BROW"><v>3</v></c></row>',
  '<row r="ROW"><c r="AROW" t="inlineStr"><is><t>真棒!</t></is></c></row>',
  '<rowing r="3"/>',
  '<other><row2 r="3"></row2></other>',
] as const;

function oddSheet(seed: number, strings: number): string {
  const draw = random(seed);
  const odd = draw(3);
  const rows: string[] = [];
  const count = 20 + draw(200);
  for (let row = 1; row <= count; row += 1) {
    if (odd > 0 && draw(5) === 0) {
      const kinds = odd === 1 ? ODD_ROWS.length - 5 : ODD_ROWS.length;
      rows.push(
        (ODD_ROWS[draw(kinds)] ?? "")
          .replaceAll("ROW", String(row))
          .replaceAll("SHARED", String(draw(strings))),
      );
      continue;
    }
    const cells = Array.from({ length: 1 + draw(draw(40) === 0 ? 60 : 6) }, (_, column) => {
      const ref = `${columnName(column)}${row}`;
      const kind = draw(30);
      if (kind === 0) return (ODD_CELLS[draw(ODD_CELLS.length)] ?? "").replaceAll("REF", ref);
      if (kind < 12) return `<c r="${ref}" t="s"><v>${draw(strings)}</v></c>`;
      if (kind < 20) return `<c r="${ref}" t="inlineStr"><is><t>行${draw(1000)}</t></is></c>`;
      return `<c r="${ref}" s="${draw(2)}"><v>${draw(60_000)}</v></c>`;
    });
    rows.push(`<row r="${row}">${cells.join("")}</row>`);
  }
  return rows.join(draw(2) === 0 ? "" : "\n");
}
const sheetXml = (rows: string): string =>
  `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cols><col min="2" max="2" hidden="1"/></cols><sheetData>${rows}</sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells></worksheet>`;

test("A sheet that is cut anywhere gives the same rows as one that is read in order", async () => {
  let read = 0;
  let apart = 0;
  const check = async (seed: number): Promise<void> => {
    const draw = random(seed + 1000);
    const names = Array.from({ length: 30 }, (_, i) => [`文${i}`]);
    const parts = {
      "xl/worksheets/sheet1.xml": sheetXml(oddSheet(seed, 30)),
    };
    const file = await xlsxOf(names, { parts });
    // Without a pause no chunk comes back meanwhile, so the thread reads rows however busy the machine is.
    const pause = seed % 2 === 0 ? () => Promise.resolve() : toEventLoop;
    const { worker, count } = fakeWorker(64 + draw(4000), pause);
    const ahead = readyThread(worker, 0);
    expect(await readAll(file, ahead), `seed ${seed}`).toEqual(await readAll(file));
    if (seed % 2 === 0) read += count("rows");
    else apart += count("chunk");
    ahead.close();
  };
  // Side by side, because each spends most of its time on messages that are under way.
  for (let seed = 1; seed <= 100; seed += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, i) => check(seed + i)));
  }
  // Both paths were used.
  expect(read).toBeGreaterThan(250);
  expect(apart).toBeGreaterThan(250);
});

const LIKE_ROWS = '<row r="7"><c r="A7"><v>9</v></c></row>'.repeat(400);

test.each([
  ["a comment", `<!-- ${LIKE_ROWS} -->`],
  [
    "a text",
    `<row r="301"><c r="A301" t="inlineStr"><is><t><![CDATA[${LIKE_ROWS}]]></t></is></c></row>`,
  ],
])(
  "Rows inside %s are not taken for rows: the piece is read again in order",
  async (_where, odd) => {
    const plain = (from: number) =>
      Array.from(
        { length: 300 },
        (_, i) => `<row r="${from + i}"><c r="A${from + i}"><v>${i}</v></c></row>`,
      ).join("");
    const rows = `${plain(1)}${odd}${plain(400)}`;
    const file = await xlsxOf([["一"]], { parts: { "xl/worksheets/sheet1.xml": sheetXml(rows) } });
    const { worker, asked, count } = fakeWorker(1024);
    const there = await readAll(file, readyThread(worker, 0));
    expect(there).toEqual(await readAll(file));
    expect(count("rows")).toBeGreaterThan(0);
    // The reader cancelled the thread's job half-way.
    expect(asked.filter((message) => "cancel" in message)).toHaveLength(1);
  },
);

test.each([
  [
    "a cell that is too long",
    `<row r="400"><c r="A400" t="inlineStr"><is><t>${"长".repeat(40_000)}</t></is></c></row>`,
    "import.cell-too-long",
  ],
  ["too many columns", '<row r="400"><c r="ZZZ400"><v>1</v></c></row>', "import.too-many-columns"],
  [
    "too high a row",
    '<row r="99999999"><c r="A99999999"><v>1</v></c></row>',
    "import.too-many-rows",
  ],
  [
    "a missing shared string",
    '<row r="400"><c r="A400" t="s"><v>77</v></c></row>',
    "import.corrupt",
  ],
])(
  "With %s, the error is the same as when the sheet is read in order",
  async (_what, row, code) => {
    const before = Array.from(
      { length: 300 },
      (_, i) => `<row r="${i + 1}"><c r="A${i + 1}"><v>${i}</v></c></row>`,
    );
    const behind = Array.from(
      { length: 300 },
      (_, i) => `<row r="${i + 500}"><c r="A${i + 500}"><v>${i}</v></c></row>`,
    );
    const parts = { "xl/worksheets/sheet1.xml": sheetXml([...before, row, ...behind].join("")) };
    const file = await xlsxOf([["一"]], { parts });
    const { worker, count } = fakeWorker(2048);
    const there = await readAll(file, readyThread(worker, 0));
    expect(there).toMatchObject({ code });
    expect(there).toEqual(await readAll(file));
    expect(count("rows")).toBeGreaterThan(0);
  },
);

test("The thread sends no more rows ahead than allowed, and no row is lost when it fails in the middle", async () => {
  const rows = Array.from(
    { length: 4000 },
    (_, i) => `<row r="${i + 1}"><c r="A${i + 1}"><v>${i}</v></c></row>`,
  );
  const packedSheet = packed(new TextEncoder().encode(sheetXml(rows.join(""))));
  const { worker, count } = fakeWorker(512);
  const ahead = readyThread(worker, 0);
  const pieces = ahead.sheet(packedSheet, { styles: new Uint8Array(0), date1904: false });
  await pieces.next();
  await expect.poll(() => count("rows")).toBe(128);
  await aMoment();
  expect(count("rows")).toBe(128);
  let bytes = 0;
  let found = 0;
  for (let piece = await pieces.next(); piece !== null; piece = await pieces.next()) {
    if (!(piece instanceof Uint8Array)) found += 1;
    else if (found > 50) bytes += piece.length;
    if (found === 50) worker.onerror?.(new Event("error") as ErrorEvent);
  }
  expect(found).toBeGreaterThanOrEqual(50);
  expect(bytes).toBeGreaterThan(0);
  const file = await xlsxOf([], { parts: { "xl/worksheets/sheet1.xml": sheetXml(rows.join("")) } });
  const other = fakeWorker(512);
  const dying = readyThread(other.worker, 0);
  const reading = readAll(file, dying);
  await expect.poll(() => other.count("rows")).toBeGreaterThan(3);
  other.worker.onerror?.(new Event("error") as ErrorEvent);
  expect(await reading).toEqual(await readAll(file));
});
