/** Typed commands over the current connection. Each has a deadline, and one retry with the same id when the core dies meanwhile. */
import { AppError } from "../shared/errors.ts";
import { COMMAND_DEADLINES } from "../shared/protocol/command-deadlines.ts";
import type { Namespace, RpcMeta } from "../shared/protocol/core-rpc.ts";
import type { Connection } from "./connection.ts";
import type { CoreCommands } from "./contracts.ts";
import { readRpcResult } from "./received.ts";

/** ms beyond the core's own deadline, so that the core's answer arrives first when there is one. */
const GRACE_MS = 2_000;

type Method = (input: unknown, meta: RpcMeta) => Promise<unknown>;

export interface CommandsDeps {
  readonly connection: Pick<Connection, "session">;
  readonly newId: () => string;
  /** The company that the tab shows. */
  readonly company: () => string | null;
  readonly after: (ms: number, run: () => void) => { cancel(): void };
}

const GONE = Symbol("gone");

export function createCommands({ connection, newId, company, after }: CommandsDeps): CoreCommands {
  const call = async (
    namespace: Namespace,
    method: string,
    input: unknown,
    deadline: number,
  ): Promise<unknown> => {
    const meta: RpcMeta = { id: newId(), supplierId: company() };
    let timer: { cancel(): void } | null = null;
    const late = new Promise<never>((_, reject) => {
      timer = after(deadline + GRACE_MS, () =>
        reject(new AppError("core.deadline", { details: { command: `${namespace}.${method}` } })),
      );
    });
    const attempt = async (): Promise<unknown> => {
      const session = await connection.session();
      // The namespace and the method come as texts; the core checks both.
      const remote = session.rpc as unknown as Record<string, Record<string, Method>>;
      const send = remote[namespace]?.[method];
      if (send === undefined) throw new AppError("core.bad-message");
      return Promise.race([send(input, meta), session.ended.then(() => GONE)]);
    };
    try {
      let answer = await Promise.race([attempt(), late]);
      if (answer === GONE) answer = await Promise.race([attempt(), late]);
      if (answer === GONE) throw new AppError("core.gone");
      const result = readRpcResult(answer);
      if (result === null) throw new AppError("core.bad-message");
      if (!result.ok) throw AppError.fromWire(result.error);
      return result.value;
    } catch (error) {
      // any failure, such as an input that cannot be cloned, reaches the caller with a code
      throw AppError.from(error, "core.bad-message");
    } finally {
      (timer as { cancel(): void } | null)?.cancel();
    }
  };

  // The table of deadlines has exactly the commands of the type.
  return Object.fromEntries(
    Object.entries(COMMAND_DEADLINES).map(([namespace, methods]) => [
      namespace,
      Object.fromEntries(
        Object.entries(methods as Record<string, number>).map(([method, deadline]) => [
          method,
          (input: unknown) => call(namespace as Namespace, method, input, deadline),
        ]),
      ),
    ]),
  ) as unknown as CoreCommands;
}
