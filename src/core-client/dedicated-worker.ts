/** Calls the methods of a dedicated worker that returns errors as values, and says why one did not start (docs/shell.md#a-missing-script). */
import { proxy, wrap } from "comlink";
import { AppError, type ErrorCode } from "../shared/errors.ts";
import { rpcResultSchema } from "../shared/protocol/rpc-result.ts";
import type { Deployed } from "./contracts.ts";
import { whyMissing } from "./why-missing.ts";

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
 * @param look asks the server which build it has when the worker or a part of it does not start
 */
export function dedicatedWorker<Api extends object>(
  worker: Worker,
  methods: Readonly<Record<keyof Api & string, true>>,
  ended: ErrorCode,
  look: () => Promise<Deployed>,
): DedicatedWorker<Api> {
  // Comlink gives each method a type of its own; here all answer results.
  const remote = wrap(worker) as unknown as Remote;
  let end: (error: AppError) => void = () => undefined;
  // a terminated worker never answers, so reject its open calls
  const over = new Promise<never>((_, reject) => {
    end = reject;
  });
  over.catch(() => undefined);
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    // an event without a message: the script could not be fetched
    const otherwise = new AppError("core.gone", { details: { message: event.message } });
    void whyMissing(look, otherwise).then(end);
  });
  const call = async (name: string, args: unknown[]): Promise<unknown> => {
    const method = remote[name];
    if (method === undefined) throw new AppError("core.bad-message");
    const given = args.map((arg) => (typeof arg === "function" ? proxy(arg) : arg));
    const result = rpcResultSchema.parse(await Promise.race([method(...given), over]));
    if (!result.ok) {
      const error = AppError.fromWire(result.error);
      throw error.code === "server.unavailable" ? await whyMissing(look, error) : error;
    }
    return result.value;
  };
  return {
    // `methods` has exactly the names of the type.
    api: Object.fromEntries(
      Object.keys(methods).map((name) => [name, (...args: unknown[]) => call(name, args)]),
    ) as unknown as Api,
    terminate() {
      worker.terminate();
      end(new AppError(ended));
    },
  };
}
