/** Starts the import worker of a tab. Only this file names its URL. */
import { proxy, wrap } from "comlink";
import { AppError } from "../shared/errors.ts";
import { rpcResultSchema } from "../shared/protocol/core-rpc.ts";
import type { ImportApi } from "../shared/protocol/import-worker.ts";

export interface ImportWorker {
  /** Methods reject with AppError; with import.cancelled after terminate. */
  readonly api: ImportApi<Blob>;
  /** Ends the worker and discards its table. Idempotent. */
  terminate(): void;
}

type Remote = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** All methods of ImportApi; the type makes the compiler report a missing one. */
const METHODS: Readonly<Record<keyof ImportApi<Blob>, true>> = {
  open: true,
  preview: true,
  load: true,
  suggest: true,
  check: true,
  window: true,
  values: true,
  edit: true,
  replace: true,
  undo: true,
  decideTotal: true,
  stage: true,
  report: true,
  template: true,
  cancel: true,
};

export function spawnImportWorker(): ImportWorker {
  const worker = new Worker(new URL("../workers/import/entry.ts", import.meta.url), {
    type: "module",
    name: "import",
  });
  const remote = wrap(worker) as unknown as Remote;
  let end: (error: AppError) => void = () => undefined;
  // a terminated worker never answers, so reject its open calls
  const ended = new Promise<never>((_, reject) => {
    end = reject;
  });
  ended.catch(() => undefined);
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    end(new AppError("core.gone", { details: { message: event.message } }));
  });
  const call = async (name: string, args: unknown[]): Promise<unknown> => {
    const method = remote[name];
    if (method === undefined) throw new AppError("core.bad-message");
    const given = args.map((arg) => (typeof arg === "function" ? proxy(arg) : arg));
    const result = rpcResultSchema.parse(await Promise.race([method(...given), ended]));
    if (!result.ok) throw AppError.fromWire(result.error);
    return result.value;
  };
  return {
    api: Object.fromEntries(
      Object.keys(METHODS).map((name) => [name, (...args: unknown[]) => call(name, args)]),
    ) as unknown as ImportApi<Blob>,
    terminate() {
      worker.terminate();
      end(new AppError("import.cancelled"));
    },
  };
}
