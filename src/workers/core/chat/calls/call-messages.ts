/** Call command messages over chat (docs/chat.md#command-messages). Only online devices receive them. Received ones are validated. */
import { AppError } from "../../../../shared/errors.ts";
import { callMessageSchema, type CallMessage } from "../../../../shared/protocol/call-message.ts";
import type { ChatCommands, CoreEnv } from "../../contracts.ts";
import { toAppError } from "../provider/failures.ts";
import type { ChatConnection, ReceivedCommand } from "../provider/port.ts";

/** ms that a command may take; a person is waiting in front of the call window. */
export const COMMAND_DEADLINE = 5_000;
/** ms after which a command is too old to matter; no ring lasts longer. */
export const COMMAND_STALE = 60_000;
/** Ids of received commands that are remembered, so that a repeated command is handled once. */
const SEEN_KEPT = 500;

const toNumber = (value: unknown): unknown =>
  typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
const toText = (value: unknown): unknown =>
  typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
const toBoolean = (value: unknown): unknown => {
  if (value === "true" || value === 1 || value === "1") return true;
  if (value === "false" || value === 0 || value === "0") return false;
  return value;
};
const COERCE: Readonly<Record<string, (value: unknown) => unknown>> = {
  type: toNumber,
  ts: toNumber,
  status: toBoolean,
  quiet: toBoolean,
  note: toText,
  channel: toText,
  callId: toText,
  fromUserDevId: toText,
  toUserDevId: toText,
};

/** Parses a command's ext as a call message; null when it is none. Other clients send numbers and booleans as text. */
export function parseCallMessage(
  action: string,
  ext: Readonly<Record<string, unknown>>,
): CallMessage | null {
  const fields = Object.fromEntries(
    Object.entries(ext).map(([key, value]) => [
      key,
      Object.hasOwn(COERCE, key) ? COERCE[key]?.(value) : value,
    ]),
  );
  const parsed = callMessageSchema.safeParse({ ...fields, action });
  return parsed.success ? parsed.data : null;
}

export interface CallMessages {
  /** Rejects with AppError chat.not-allowed when the server refuses, else chat.send-failed, also when the acknowledgement takes too long. */
  send: ChatCommands["send"];
  onMessage: ChatCommands["onMessage"];
  received(me: string, command: ReceivedCommand): void;
}

export function createCallMessages(deps: {
  readonly env: Pick<CoreEnv, "clock" | "log">;
  /** Server time, ms since the epoch. */
  readonly serverNow: () => number;
  readonly newId: () => string;
  readonly connection: () => ChatConnection | null;
  readonly traffic: () => void;
}): CallMessages {
  const { env } = deps;
  const handlers = new Set<(message: CallMessage, from: string) => void>();
  const seen = new Set<string>();

  return {
    send(to, action, ext) {
      const connection = deps.connection();
      if (connection === null) return Promise.reject(new AppError("chat.send-failed"));
      if (action !== ext.action) {
        return Promise.reject(new AppError("request.invalid", { details: { action } }));
      }
      const { action: _action, ...fields } = ext;
      deps.traffic();
      return new Promise<void>((resolve, reject) => {
        const timer = env.clock.after(COMMAND_DEADLINE, () =>
          reject(new AppError("chat.send-failed", { details: { reason: "timeout" } })),
        );
        connection.send({ kind: "command", id: deps.newId(), to, action, ext: fields }).then(
          () => {
            timer.cancel();
            resolve();
          },
          (error: unknown) => {
            timer.cancel();
            const failure = toAppError(error);
            if (failure.code === "chat.not-allowed") return reject(failure);
            reject(new AppError("chat.send-failed", { details: { reason: failure.code } }));
          },
        );
      });
    },
    onMessage(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    received(me, command) {
      if (command.from === me) return;
      if (seen.has(command.mid)) return;
      seen.add(command.mid);
      const [oldest] = seen;
      if (seen.size > SEEN_KEPT && oldest !== undefined) seen.delete(oldest);

      const message = parseCallMessage(command.action, command.ext);
      if (message === null) {
        return env.log("chat", "warn", `a command of ${command.from} is not a call message`);
      }
      // the server guarantees `from`, so the names in the message must match it
      if (message.fromUser !== command.from || message.toUser !== me) {
        return env.log("chat", "warn", `a call message of ${command.from} names other people`);
      }
      // prefer the server's time, because the sender's clock may be wrong by more than a ring lasts
      const at = command.time > 0 ? command.time : message.ts;
      if (deps.serverNow() - at > COMMAND_STALE) {
        return env.log("chat", "info", `a call message of ${command.from} came too late`);
      }
      for (const handler of handlers) {
        try {
          handler(message, command.from);
        } catch (error) {
          env.log(
            "chat",
            "warn",
            `a call message failed, ${error instanceof Error ? error.message : ""}`,
          );
        }
      }
    },
  };
}
