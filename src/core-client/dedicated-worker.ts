/** Calls the methods of a dedicated worker that returns errors as values. */
import { proxy, wrap } from "comlink";
import { AppError, type ErrorCode } from "../shared/errors.ts";
import { rpcResultSchema } from "../shared/protocol/rpc-result.ts";

export interface DedicatedWorker<Api> {
  /** Methods reject with AppError; after `terminate` with the code of an ended worker. */
  readonly api: Api;
  /** Ends the worker and what it holds. Idempotent. */
  terminate(): void;
}

type Remote = Record<string, (...args: unknown[]) => Promise<unknown>>;

/**
 * @param methods all methods of the API; the type makes the compiler report a missing one
 * @param ended code of the error of open calls when the worker is terminated
 */
export function dedicatedWorker<Api extends object>(
  worker: Worker,
  methods: Readonly<Record<keyof Api & string, true>>,
  ended: ErrorCode,
): DedicatedWorker<Api> {
  const remote = wrap(worker) as unknown as Remote;
  let end: (error: AppError) => void = () => undefined;
  // a terminated worker never answers, so reject its open calls
  const over = new Promise<never>((_, reject) => {
    end = reject;
  });
  over.catch(() => undefined);
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    end(new AppError("core.gone", { details: { message: event.message } }));
  });
  const call = async (name: string, args: unknown[]): Promise<unknown> => {
    const method = remote[name];
    if (method === undefined) throw new AppError("core.bad-message");
    const given = args.map((arg) => (typeof arg === "function" ? proxy(arg) : arg));
    const result = rpcResultSchema.parse(await Promise.race([method(...given), over]));
    if (!result.ok) throw AppError.fromWire(result.error);
    return result.value;
  };
  return {
    api: Object.fromEntries(
      Object.keys(methods).map((name) => [name, (...args: unknown[]) => call(name, args)]),
    ) as unknown as Api,
    terminate() {
      worker.terminate();
      end(new AppError(ended));
    },
  };
}
