/**
 * The commands of a tab: a frozen facade built from the command table and the modules' handlers. It validates input and output,
 * returns the former answer to a repeated id, and returns every error as a value with its code.
 */
import { AppError, type ErrorCode } from "../../../shared/errors.ts";
import { deadlineOf } from "../../../shared/protocol/command-deadlines.ts";
import {
  commands,
  rpcMetaSchema,
  type CallContext,
  type CoreFacade,
  type Handlers,
  type Namespace,
  type RpcMeta,
} from "../../../shared/protocol/core-rpc.ts";
import type { RpcResult } from "../../../shared/protocol/rpc-result.ts";
import type { Clock, Stats } from "../contracts.ts";

/** How long and how many answers are kept for retries. */
const KEPT_MS = 60_000;
const KEPT = 2_000;

export type AllHandlers = { readonly [N in Namespace]?: Handlers<N> | undefined };

export interface RpcDeps {
  readonly clock: Clock;
  /** ms of a monotonic clock that is finer than the wall clock; only for latencies. */
  readonly precise: () => number;
  readonly stats: Pick<Stats, "command" | "error">;
  /** Read at every command, because modules come and go with the sockets. A namespace without handlers answers core.gone. */
  readonly handlers: () => AllHandlers;
  /** The company that the session is in now. */
  readonly company: () => string | null;
  /** What a command of the namespace waits for, because a new core must read its storage first; null: nothing. */
  readonly ready?: (namespace: Namespace) => Promise<unknown> | null;
}

export interface Rpc {
  facadeFor(tabId: string): CoreFacade;
}

type AnyHandler = (input: unknown, context: CallContext) => Promise<unknown>;
interface AnyCommand {
  readonly input: import("zod").ZodType;
  readonly output: import("zod").ZodType;
  readonly inCompany?: true;
}

export function createRpc(deps: RpcDeps): Rpc {
  const { clock, stats } = deps;
  /** `at` is null while the command runs. */
  const kept = new Map<string, { at: number | null; answer: Promise<RpcResult> }>();

  const failure = (error: AppError): RpcResult => ({ ok: false, error: error.toWire() });

  /** Drops the oldest answers first. A running command is kept, because otherwise its retry would run too. */
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
    deadline: number,
    command: AnyCommand,
    waiting: Promise<unknown> | null,
    find: () => AnyHandler | undefined,
    given: unknown,
    context: CallContext,
    shown: string | null,
  ): Promise<RpcResult> => {
    const input = command.input.safeParse(given);
    if (!input.success) {
      const field = input.error.issues[0]?.path.join(".") ?? "";
      return failure(new AppError("request.invalid", { details: { command: name, field } }));
    }
    const startedAt = deps.precise();
    let failed: ErrorCode | undefined;
    let timer: { cancel(): void } | null = null;
    let handler: AnyHandler | undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = clock.after(deadline, () => {
          const code = handler === undefined ? "core.gone" : "core.deadline";
          reject(new AppError(code, { details: { command: name } }));
        });
      });
      if (waiting !== null) await Promise.race([waiting, late]);
      if (command.inCompany === true && shown !== null && shown !== deps.company()) {
        throw new AppError("auth.company-changed", { details: { command: name } });
      }
      handler = find();
      if (handler === undefined) {
        throw new AppError("core.gone", { details: { command: name } });
      }
      const value = await Promise.race([handler(input.data, context), late]);
      const output = command.output.safeParse(value);
      if (!output.success) {
        throw new Error(
          `${name} answered wrongly at "${output.error.issues[0]?.path.join(".") ?? ""}"`,
        );
      }
      return { ok: true, value: output.data };
    } catch (thrown) {
      failed = thrown instanceof AppError ? thrown.code : "server.internal";
      if (thrown instanceof AppError) return failure(thrown);
      stats.error(thrown instanceof Error ? thrown : String(thrown));
      return failure(new AppError("server.internal", { details: { command: name } }));
    } finally {
      (timer as { cancel(): void } | null)?.cancel();
      const ms = deps.precise() - startedAt;
      if (failed === undefined) stats.command(name, ms);
      else stats.command(name, ms, failed);
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
    const { id, supplierId } = parsed.data;
    const key = `${tabId} ${name} ${id}`;
    prune();
    const before = kept.get(key);
    if (before !== undefined) return before.answer;
    const find = (): AnyHandler | undefined =>
      (deps.handlers()[namespace] as Record<string, AnyHandler> | undefined)?.[method];
    const waiting = deps.ready?.(namespace) ?? null;
    const answer = run(
      name,
      deadlineOf(namespace, method),
      command,
      waiting,
      find,
      input,
      { tabId, id },
      supplierId,
    );
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
