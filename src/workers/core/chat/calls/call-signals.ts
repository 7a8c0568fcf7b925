/**
 * The signalling of calls as command messages (docs/calls.md#signalling-over-chat): cuts a signal into parts that fit into a message,
 * and joins the parts that arrive. Only connected devices get them.
 */
import {
  CALL_SIGNAL_ACTION,
  type CallSignal,
  callSignalSchema,
  SIGNAL_PART_BYTES,
  type SignalPart,
  signalPartSchema,
} from "../../../../shared/protocol/call-signal.ts";
import { AppError } from "../../../../shared/errors.ts";
import type { ChatSignals, CoreEnv } from "../../contracts.ts";
import { COMMAND_DEADLINE } from "./call-messages.ts";
import { toAppError } from "../provider/failures.ts";
import type { ChatConnection, ReceivedCommand } from "../provider/port.ts";

/** Signals of which a part is missing; beyond that the oldest is dropped. */
const MAX_INCOMPLETE = 20;

/** The JSON of a signal without a character beyond ASCII, so that one character is one byte. */
const asciiJson = (signal: CallSignal): string =>
  JSON.stringify(signal).replaceAll(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** @param signalId joins the parts again */
export function partsOf(signal: CallSignal, signalId: string): SignalPart[] {
  const json = asciiJson(signal);
  const parts = Math.ceil(json.length / SIGNAL_PART_BYTES);
  return Array.from({ length: parts }, (_, part) => ({
    signalId,
    part,
    parts,
    text: json.slice(part * SIGNAL_PART_BYTES, (part + 1) * SIGNAL_PART_BYTES),
  }));
}

export interface CallSignals extends ChatSignals {
  received(me: string, command: ReceivedCommand): void;
  /** The connection is open, or lost. */
  changed(open: boolean): void;
}

export function createCallSignals(deps: {
  readonly env: Pick<CoreEnv, "clock" | "log">;
  readonly device: () => string;
  readonly newId: () => string;
  readonly connection: () => ChatConnection | null;
  readonly traffic: () => void;
}): CallSignals {
  const { env } = deps;
  const handlers = new Set<(signal: CallSignal) => void>();
  const openHandlers = new Set<(open: boolean) => void>();
  const incomplete = new Map<string, (string | undefined)[]>();

  const sendPart = (connection: ChatConnection, to: string, part: SignalPart): Promise<void> => {
    deps.traffic();
    return new Promise<void>((resolve, reject) => {
      const failed = (reason: string): void =>
        reject(new AppError("chat.send-failed", { details: { reason } }));
      const timer = env.clock.after(COMMAND_DEADLINE, () => failed("timeout"));
      connection
        .send({ kind: "command", id: deps.newId(), to, action: CALL_SIGNAL_ACTION, ext: part })
        .then(
          () => {
            timer.cancel();
            resolve();
          },
          (error: unknown) => {
            timer.cancel();
            failed(toAppError(error).code);
          },
        );
    });
  };

  /** @returns the JSON of the signal that this part completes, else null */
  function join(from: string, { signalId, part, parts, text }: SignalPart): string | null {
    if (parts === 1) return text;
    const key = `${from} ${signalId}`;
    const known = incomplete.get(key) ?? Array.from<string | undefined>({ length: parts });
    if (part >= known.length) return null;
    known[part] = text;
    incomplete.set(key, known);
    const texts = known.filter((one) => one !== undefined);
    if (texts.length === known.length) {
      incomplete.delete(key);
      return texts.join("");
    }
    const [oldest] = incomplete.keys();
    if (incomplete.size > MAX_INCOMPLETE && oldest !== undefined) incomplete.delete(oldest);
    return null;
  }
  const parse = (json: string): CallSignal | null => {
    try {
      return callSignalSchema.parse(JSON.parse(json));
    } catch {
      return null;
    }
  };

  return {
    open: () => deps.connection() !== null,
    onOpen(handler) {
      openHandlers.add(handler);
      return () => openHandlers.delete(handler);
    },
    async send(signal) {
      const connection = deps.connection();
      if (connection === null) throw new AppError("chat.send-failed");
      const parts = partsOf(signal, deps.newId());
      // All are handed over in one turn, so that no later signal comes between them.
      await Promise.all(parts.map((part) => sendPart(connection, signal.toUser, part)));
    },
    onSignal(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    received(me, { from, ext }) {
      if (from === me) return;
      const part = signalPartSchema.safeParse(ext);
      if (!part.success)
        return env.log("chat", "warn", `a signal of ${from} could not be understood`);
      const json = join(from, part.data);
      if (json === null) return;
      const signal = parse(json);
      // the server guarantees `from`, so the names in the signal must match it
      if (signal === null || signal.fromUser !== from || signal.toUser !== me) {
        return env.log("chat", "warn", `a signal of ${from} could not be understood`);
      }
      if (signal.toUserDevId !== deps.device()) return;
      for (const handler of handlers) handler(signal);
    },
    changed(open) {
      if (!open) incomplete.clear();
      for (const handler of openHandlers) handler(open);
    },
  };
}
