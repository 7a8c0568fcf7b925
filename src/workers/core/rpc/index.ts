/**
 * Commands of a tab: a frozen facade made of the command table and the rooms' handlers. Input and output are checked, a call with
 * an id that is known gets the former answer, and whatever goes wrong crosses as a value with its code.
 */
import { AppError } from "../../../shared/errors.ts";
import {
  commands,
  rpcMetaSchema,
  type CallContext,
  type CoreFacade,
  type Handlers,
  type Namespace,
  type RpcMeta,
  type RpcResult,
} from "../../../shared/protocol/core-rpc.ts";
import type { Clock, Stats } from "../contracts.ts";

/** How long an answer is kept for a retry, ms, and how many. */
const KEPT_MS = 60_000;
const KEPT = 2_000;

export type AllHandlers = { readonly [N in Namespace]?: Handlers<N> | undefined };

export interface RpcDeps {
  readonly clock: Clock;
  /** ms of a steady clock finer than the wall's, for latencies alone. */
  readonly precise: () => number;
  readonly stats: Pick<Stats, "command" | "error">;
  /** Asked at every call: rooms come and go with the sockets. A namespace without handlers answers core.gone. */
  readonly handlers: () => AllHandlers;
}

export interface Rpc {
  facadeFor(tabId: string): CoreFacade;
}

type AnyHandler = (input: unknown, context: CallContext) => Promise<unknown>;
interface AnyCommand {
  readonly input: import("zod").ZodType;
  readonly output: import("zod").ZodType;
  readonly deadline: number;
}

export function createRpc(deps: RpcDeps): Rpc {
  const { clock, stats } = deps;
  /** `at` is null while the call runs. */
  const kept = new Map<string, { at: number | null; answer: Promise<RpcResult> }>();

  const failure = (error: AppError): RpcResult => ({ ok: false, error: error.toWire() });

  /** Oldest answer first, as a Map iterates; a call that runs is not forgotten, or its retry would run too. */
  const prune = (): void => {
    for (const [key, entry] of kept) {
      if (entry.at === null) continue;
      if (kept.size <= KEPT && clock.now() - entry.at <= KEPT_MS) break;
      kept.delete(key);
    }
  };
  const keep = (key: string, answer: Promise<RpcResult>): void => {
    kept.set(key, { at: null, answer });
    void answer.then(() => {
      kept.delete(key);
      kept.set(key, { at: clock.now(), answer });
    });
  };

  const run = async (
    name: string,
    command: AnyCommand,
    handler: AnyHandler | undefined,
    given: unknown,
    context: CallContext,
  ): Promise<RpcResult> => {
    const input = command.input.safeParse(given);
    if (!input.success) {
      const field = input.error.issues[0]?.path.join(".") ?? "";
      return failure(new AppError("request.invalid", { details: { command: name, field } }));
    }
    if (handler === undefined) {
      return failure(new AppError("core.gone", { details: { command: name } }));
    }
    const startedAt = deps.precise();
    let timer: { cancel(): void } | null = null;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = clock.after(command.deadline, () =>
          reject(new AppError("core.deadline", { details: { command: name } })),
        );
      });
      const value = await Promise.race([handler(input.data, context), late]);
      const output = command.output.safeParse(value);
      if (!output.success) {
        throw new Error(
          `${name} answered wrongly at "${output.error.issues[0]?.path.join(".") ?? ""}"`,
        );
      }
      return { ok: true, value: output.data };
    } catch (thrown) {
      if (thrown instanceof AppError) return failure(thrown);
      stats.error(thrown instanceof Error ? thrown : String(thrown));
      return failure(new AppError("server.internal", { details: { command: name } }));
    } finally {
      (timer as { cancel(): void } | null)?.cancel();
      stats.command(name, deps.precise() - startedAt);
    }
  };

  const call = (
    tabId: string,
    namespace: Namespace,
    method: string,
    command: AnyCommand,
    input: unknown,
    meta: RpcMeta,
  ): Promise<RpcResult> => {
    const name = `${namespace}.${method}`;
    const parsed = rpcMetaSchema.safeParse(meta);
    if (!parsed.success) {
      return Promise.resolve(
        failure(new AppError("core.bad-message", { details: { command: name, field: "meta.id" } })),
      );
    }
    const { id } = parsed.data;
    const key = `${tabId} ${name} ${id}`;
    prune();
    const before = kept.get(key);
    if (before !== undefined) return before.answer;
    const handlers = deps.handlers()[namespace] as Record<string, AnyHandler> | undefined;
    const answer = run(name, command, handlers?.[method], input, { tabId, id });
    keep(key, answer);
    return answer;
  };

  return {
    facadeFor(tabId) {
      const facade: Record<string, unknown> = Object.create(null);
      for (const [namespace, table] of Object.entries(commands)) {
        const methods: Record<string, unknown> = Object.create(null);
        for (const [method, command] of Object.entries(table as Record<string, AnyCommand>)) {
          methods[method] = Object.freeze((input: unknown, meta: RpcMeta) =>
            call(tabId, namespace as Namespace, method, command, input, meta),
          );
        }
        facade[namespace] = Object.freeze(methods);
      }
      return Object.freeze(facade) as CoreFacade;
    },
  };
}
