/**
 * Inflates on a separate thread, which also reads rows when this one cannot keep up: with two cores, a large sheet takes half the
 * time. The thread's lead is bounded. If it cannot be started or fails, this thread does all the work.
 */
import {
  fromAheadSchema,
  type FromAhead,
  type RowsPiece,
  type ToAhead,
} from "../../../shared/protocol/read-ahead.ts";
import type { Ahead, Pieces } from "../contracts.ts";
import { corrupt, fileGone } from "./faults.ts";
import { inflateHere } from "./inflate.ts";

/** For fewer packed bytes than this, sending them to the other thread costs more than it saves. */
const WORTH = 1 << 19;
/** Chunks of 256 KiB that may be in transit. Many, so that the shared strings are inflated early and the sheet can begin. */
const CHUNKS = 64;
/** The same for a sheet, in chunks of 512 KiB: one is being read here while the others wait. */
const SHEET_CHUNKS = 3;
/** Pieces of rows in transit, about 100 KiB each. */
const SHEET_PIECES = 128;

/** The part of `Worker` that is used here. */
export interface AheadWorker {
  postMessage(message: ToAhead, transfer?: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

type How = Pick<Extract<ToAhead, { packed: object }>, "chunks" | "sheet">;
type Said = Exclude<FromAhead, { ready: true }>;
type Piece = Uint8Array | RowsPiece;

interface Job {
  readonly id: number;
  readonly packed: Blob;
  readonly how: How;
  readonly coming: Said[];
  state: "waiting" | "running" | "ended";
  wake: (() => void) | null;
}

/**
 * @param open starts the thread; called at once, because starting takes a moment. Throws where a worker cannot start a worker
 * @param worth least packed bytes for which the thread is used
 */
export function createAheadThread(
  open: () => AheadWorker,
  worth = WORTH,
): Ahead & { close(): void } {
  const jobs = new Map<number, Job>();
  let worker: AheadWorker | null = null;
  let ready = false;
  let last = 0;

  const alive = (): boolean => worker !== null;
  const close = (): void => {
    worker?.terminate();
    worker = null;
    for (const job of jobs.values()) job.wake?.();
  };
  const start = (job: Job): void => {
    if (job.state !== "waiting") return;
    job.state = "running";
    worker?.postMessage({ id: job.id, packed: job.packed, ...job.how });
  };
  /**
   * Runs one job at a time, in the order of the calls, so that the part that is read first is done first. A job that a reader is
   * already waiting for starts at once.
   */
  const startNext = (): void => {
    const all = [...jobs.values()];
    if (all.some(({ state }) => state === "running")) return;
    const next = all.find(({ state }) => state === "waiting");
    if (next !== undefined) start(next);
  };
  try {
    worker = open();
    worker.onerror = close;
    worker.onmessage = ({ data }) => {
      const parsed = fromAheadSchema.safeParse(data);
      if (!parsed.success) return;
      if ("ready" in parsed.data) {
        ready = true;
        return;
      }
      const job = jobs.get(parsed.data.id);
      if (job === undefined) return;
      job.coming.push(parsed.data);
      if ("end" in parsed.data || "failed" in parsed.data) {
        job.state = "ended";
        startNext();
      }
      job.wake?.();
    };
  } catch {
    close();
  }

  function there(packed: Blob, how: How): Pieces<Piece> {
    const job: Job = {
      id: (last += 1),
      packed,
      how,
      coming: [],
      state: "waiting",
      wake: null,
    };
    const { id } = job;
    jobs.set(id, job);
    startNext();
    /** Bytes already delivered; a second pass skips them. */
    let had = 0;
    let given: Piece | null = null;
    let apart = false;
    let here: Pieces<Uint8Array> | null = null;

    const message = async (): Promise<Said | null> => {
      start(job);
      while (job.coming.length === 0 && alive()) {
        await new Promise<void>((resolve) => {
          job.wake = resolve;
        });
        job.wake = null;
      }
      return job.coming.shift() ?? null;
    };
    /** The thread is gone or cannot be used: inflate here from the start and skip the bytes already delivered. */
    const again = async (): Promise<Uint8Array | null> => {
      here = inflateHere(packed);
      let skip = had;
      for (let chunk = await here.next(); chunk !== null; chunk = await here.next()) {
        if (chunk.length > skip) return chunk.subarray(skip);
        skip -= chunk.length;
      }
      return null;
    };
    const give = (piece: Piece): Piece => {
      had += piece.length;
      given = piece;
      return piece;
    };
    /** Reports that the last piece was used, and gives its memory back. */
    const takeBack = (): void => {
      if (given === null || job.state !== "running") return;
      if (given instanceof Uint8Array) {
        worker?.postMessage({ id, taken: "chunk", memory: given }, [given.buffer as ArrayBuffer]);
      } else {
        worker?.postMessage({ id, taken: "rows" });
      }
      given = null;
    };
    const drop = (): void => {
      job.coming.length = 0;
      if (!jobs.delete(id)) return;
      if (job.state === "running") worker?.postMessage({ id, cancel: true });
      startNext();
    };
    return {
      async next() {
        if (here !== null) return here.next();
        if (apart) return again();
        takeBack();
        const said = await message();
        if (said === null) return again();
        if ("chunk" in said) return give(said.chunk);
        if ("rows" in said) return give(said.rows);
        jobs.delete(id);
        if ("end" in said) return null;
        if (said.failed === "data") throw new Error("the data cannot be inflated");
        throw fileGone();
      },
      back() {
        had -= given?.length ?? 0;
        given = null;
        apart = true;
        drop();
      },
      close() {
        here?.close();
        drop();
      },
    };
  }

  const isHere = (packed: Blob): boolean => !alive() || !ready || packed.size < worth;
  return {
    inflate: (packed) =>
      isHere(packed) ? inflateHere(packed) : bytesAlone(there(packed, { chunks: CHUNKS })),
    sheet: (packed, styles) =>
      isHere(packed)
        ? inflateHere(packed)
        : there(packed, {
            chunks: SHEET_CHUNKS,
            sheet: { pieces: SHEET_PIECES, ...styles },
          }),
    close,
  };
}

const bytesAlone = ({ next, close }: Pieces<Piece>): Pieces<Uint8Array> => ({
  async next() {
    const piece = await next();
    if (piece === null || piece instanceof Uint8Array) return piece;
    throw corrupt("rows of what is no sheet");
  },
  close,
});
