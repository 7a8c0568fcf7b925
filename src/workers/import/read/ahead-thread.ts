/**
 * Inflating on a thread of its own, which reads rows as well where this one cannot keep up: on two cores a large sheet takes half the
 * time of both. What the thread may be ahead by is bounded. Where it cannot be had, or breaks down, all is done here.
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

/** Packed bytes below which the way to the other thread costs more than it saves. */
const WORTH = 1 << 19;
/** Chunks of 256 KiB that may be on their way: strings are inflated early, so that the sheet can be begun. */
const CHUNKS = 64;
/** Of a sheet, 512 KiB each: one is read here, the others wait. */
const SHEET_CHUNKS = 3;
/** Pieces of rows, about 100 KiB each. */
const SHEET_PIECES = 128;

/** What is needed of a Worker. */
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
 * @param open starts the thread, at once: it takes a moment. Throws where there are no workers of workers
 * @param worth packed bytes from which the thread is asked
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
  /** One at a time, unless somebody waits for another: what is read first is done first. */
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
    /** Bytes had, which another go leaves out. */
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
    /** The thread is no more, or of no use: all over again, without what was had. */
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
    /** What was given is done with. */
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
