/** The worker's end of ahead-thread.ts: it inflates, and reads the rows itself when the other thread takes chunks too slowly. */
import { AppError } from "../../../shared/errors.ts";
import {
  type FromAhead,
  type RowsPiece,
  type ToAhead,
  toAheadSchema,
} from "../../../shared/protocol/read-ahead.ts";
import type { SheetStyles } from "../contracts.ts";
import { inflateHere } from "./inflate.ts";
import { SLACK } from "./pump.ts";
import { createRowsAhead, endOfRows } from "./rows-ahead.ts";

/** Bytes per chunk: a message costs the same for any size. */
const CHUNK = 1 << 18;
/** Bytes per chunk of a sheet: rows that are read from one chunk make a batch. */
const SHEET_CHUNK = 1 << 19;

interface Job {
  /** Chunks (`chunks`) and pieces of rows (`pieces`) that may still be sent before some are taken. */
  chunks: number;
  pieces: number;
  /** Memory of chunks that was given back, for reuse. */
  readonly spare: Uint8Array[];
  cancelled: boolean;
  wake: (() => void) | null;
}
type Post = (message: FromAhead, transfer?: Transferable[]) => void;
/** Collects inflated bytes; `end` sends the rest. */
interface Cutter {
  add(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

const woken = (job: Job): Promise<void> =>
  new Promise((resolve) => {
    job.wake = resolve;
  });

/** Reuses memory where it can: the engine must clear new memory page by page. */
const bufferFor = (job: Job, size: number): Uint8Array => {
  const used = job.spare.pop();
  return used?.buffer.byteLength === size ? new Uint8Array(used.buffer) : new Uint8Array(size);
};

/**
 * Fills a buffer and sends it when it is full, up to the last good place to cut.
 *
 * @param size usable bytes of the buffer; SLACK more follow them
 * @param cutAt number of bytes of b[0, size) to send; 0 when there is no good place, then all are sent
 */
function createCutter(
  job: Job,
  size: number,
  cutAt: (b: Uint8Array) => number,
  send: (chunk: Uint8Array, end: number, isCut: boolean) => Promise<void>,
): Cutter {
  const nextBuffer = (): Uint8Array => bufferFor(job, size + SLACK);
  let out = nextBuffer();
  let length = 0;

  async function cut(): Promise<void> {
    const at = cutAt(out);
    const end = at === 0 ? length : at;
    const chunk = out;
    out = nextBuffer();
    out.set(chunk.subarray(end, length));
    length -= end;
    await send(chunk, end, at > 0);
  }
  return {
    async add(bytes) {
      for (let used = 0; used < bytes.length && !job.cancelled;) {
        const part = bytes.subarray(used, used + size - length);
        out.set(part, length);
        length += part.length;
        used += part.length;
        if (length === size) await cut();
      }
    },
    async end() {
      if (length > 0) await send(out, length, false);
    },
  };
}

const sendChunk = (id: number, job: Job, post: Post, chunk: Uint8Array, end: number): void => {
  job.chunks -= 1;
  post({ id, chunk: chunk.subarray(0, end) }, [chunk.buffer as ArrayBuffer]);
};

const createChunks = (id: number, job: Job, post: Post): Cutter =>
  createCutter(
    job,
    CHUNK,
    () => 0,
    async (chunk, end) => {
      while (job.chunks === 0 && !job.cancelled) await woken(job);
      if (!job.cancelled) sendChunk(id, job, post, chunk, end);
    },
  );

/** Chunks that end between two rows. */
function createRowChunks(
  id: number,
  job: Job,
  styles: SheetStyles,
  post: Post,
  pause: () => Promise<void>,
  size: number,
): Cutter {
  const read = createRowsAhead(styles);
  const cutAt = (b: Uint8Array): number => Math.max(0, endOfRows(b, 0, size));
  return createCutter(job, size, cutAt, async (chunk, end, isWhole) => {
    let rows: RowsPiece | null = null;
    // Handle messages that give chunks back before deciding to read here.
    if (job.chunks === 0) await pause();
    if (job.chunks === 0 && isWhole) {
      chunk.fill(0, end, end + SLACK);
      rows = read(chunk, end);
    }
    const isFull = (): boolean => (rows === null ? job.chunks : job.pieces) === 0;
    while (isFull() && !job.cancelled) await woken(job);
    if (job.cancelled) return;
    if (rows === null) sendChunk(id, job, post, chunk, end);
    else {
      job.pieces -= 1;
      post({ id, rows }, buffersOf(rows));
      job.spare.push(chunk);
    }
  });
}

const buffersOf = ({ batches }: RowsPiece): Transferable[] =>
  batches.flatMap(({ rowNumbers, kinds, values, numbers, ends, bytes }) =>
    [rowNumbers, kinds, values, numbers, ends, bytes].map(({ buffer }) => buffer as ArrayBuffer),
  );

/**
 * @param post sends a message to the other thread
 * @param pause yields to the event loop
 * @param sheetChunk bytes per chunk of a sheet
 * @returns a handler for incoming messages
 */
export function createAheadServer(
  post: Post,
  pause: () => Promise<void>,
  sheetChunk = SHEET_CHUNK,
): (message: unknown) => void {
  const jobs = new Map<number, Job>();

  async function run({ id, packed, sheet }: Extract<ToAhead, { packed: object }>, job: Job) {
    const inflated = inflateHere(packed as Blob);
    const cutter =
      sheet === undefined
        ? createChunks(id, job, post)
        : createRowChunks(id, job, sheet, post, pause, sheetChunk);
    try {
      for (let chunk = await inflated.next(); chunk !== null; chunk = await inflated.next()) {
        await cutter.add(chunk);
        if (job.cancelled) return;
      }
      await cutter.end();
      if (!job.cancelled) post({ id, end: true });
    } catch (error) {
      post({ id, failed: error instanceof AppError ? "file" : "data" });
    } finally {
      inflated.close();
      jobs.delete(id);
    }
  }

  return (given) => {
    const message = toAheadSchema.parse(given);
    const { id } = message;
    if ("packed" in message) {
      const { chunks, sheet } = message;
      const pieces = sheet?.pieces ?? 0;
      const job: Job = { chunks, pieces, spare: [], cancelled: false, wake: null };
      jobs.set(id, job);
      void run(message, job);
      return;
    }
    const job = jobs.get(id);
    if (job === undefined) return;
    if ("cancel" in message) job.cancelled = true;
    else if (message.taken === "rows") job.pieces += 1;
    else {
      job.chunks += 1;
      if (message.memory !== undefined) job.spare.push(message.memory);
    }
    job.wake?.();
  };
}
