/**
 * The WebSocket to a Janus server (subprotocol janus-protocol): transactions, the session with its keepalive, and reconnection
 * after a loss. A lost session is not claimed again; its users create their connections again.
 */
import { WebSocket } from "ws";
import { z } from "zod";
import { AppError } from "../../../../shared/errors.ts";
import type { Clock } from "../../../base/module.ts";

export const jsepSchema = z.object({ type: z.enum(["offer", "answer"]), sdp: z.string() });
export type Jsep = z.infer<typeof jsepSchema>;

const messageSchema = z.looseObject({
  janus: z.string(),
  transaction: z.string().optional(),
  sender: z.number().optional(),
  session_id: z.number().optional(),
  data: z.looseObject({ id: z.number() }).optional(),
  error: z.looseObject({ code: z.number(), reason: z.string() }).optional(),
  plugindata: z.looseObject({ data: z.record(z.string(), z.unknown()) }).optional(),
  jsep: jsepSchema.optional(),
});
export type JanusMessage = z.infer<typeof messageSchema>;

export interface JanusSocket {
  readonly up: boolean;
  /** @returns the answer; for a message that Janus acknowledges first, the event that follows. @throws AppError */
  ask(body: Record<string, unknown>): Promise<JanusMessage>;
  /** Like `ask`, but the answer is ignored. */
  send(body: Record<string, unknown>): void;
  /** Idempotent. */
  close(): void;
}

const KEEPALIVE_MS = 25_000;
const ASK_MS = 8000;
const AGAIN_MS = [200, 500, 1000, 2000, 5000] as const;

export const unavailable = (reason: string): AppError =>
  new AppError("conference.media-unavailable", { details: { reason } });

/**
 * @param deps.secret sent as apisecret with each request
 * @param deps.onEvent receives a handle's messages that do not answer a request
 */
export function createJanusSocket(deps: {
  readonly url: string;
  readonly secret?: string | undefined;
  readonly clock: Clock;
  readonly onUp: () => void;
  readonly onDown: (why: string) => void;
  readonly onEvent: (message: JanusMessage) => void;
}): JanusSocket {
  const { clock } = deps;
  const secret = deps.secret === undefined ? {} : { apisecret: deps.secret };
  let socket: WebSocket | null = null;
  let session: number | null = null;
  let number = 0;
  let failures = 0;
  let closed = false;
  let heard = 0;
  let timer: { cancel(): void } | null = null;
  const pending = new Map<
    string,
    {
      readonly resolve: (message: JanusMessage) => void;
      readonly reject: (error: AppError) => void;
      readonly late: { cancel(): void };
    }
  >();

  const settle = (
    transaction: string,
    use: (p: NonNullable<ReturnType<typeof pending.get>>) => void,
  ) => {
    const p = pending.get(transaction);
    if (p === undefined) return false;
    pending.delete(transaction);
    p.late.cancel();
    use(p);
    return true;
  };

  const write = (body: Record<string, unknown>): string => {
    const transaction = `t${(number += 1)}`;
    const whole = {
      ...body,
      ...secret,
      ...(session === null ? {} : { session_id: session }),
      transaction,
    };
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(whole));
    return transaction;
  };

  const ask = (body: Record<string, unknown>): Promise<JanusMessage> =>
    new Promise((resolve, reject) => {
      if (socket?.readyState !== WebSocket.OPEN) return reject(unavailable("not connected"));
      const transaction = write(body);
      const late = clock.setTimeout(
        () => settle(transaction, (p) => p.reject(unavailable("no answer"))),
        ASK_MS,
      );
      pending.set(transaction, { resolve, reject, late });
    });

  const hear = (text: string): void => {
    heard = clock.now();
    let raw: unknown;
    try {
      raw = JSON.parse(text);
    } catch {
      return;
    }
    const parsed = messageSchema.safeParse(raw);
    if (!parsed.success) return;
    const message = parsed.data;
    if (message.janus === "ack") {
      // An ack of a keepalive or candidate is not awaited; after the ack of a message, its event follows.
      return;
    }
    if (message.janus === "timeout" && message.sender === undefined) {
      socket?.terminate();
      return;
    }
    if (message.transaction !== undefined) {
      const { error } = message;
      const used = settle(message.transaction, (p) =>
        error === undefined
          ? p.resolve(message)
          : p.reject(new AppError("conference.invalid", { details: { reason: error.reason } })),
      );
      if (used) return;
    }
    deps.onEvent(message);
  };

  const alive = (): void => {
    timer = clock.setTimeout(() => {
      if (session === null) return;
      // Janus acknowledges each keepalive: a server that is silent for longer than two of them is gone.
      if (clock.now() - heard > KEEPALIVE_MS * 2.5) return socket?.terminate();
      write({ janus: "keepalive" });
      alive();
    }, KEEPALIVE_MS);
  };

  const connect = (): void => {
    timer = null;
    if (closed) return;
    const opened = new WebSocket(deps.url, "janus-protocol");
    socket = opened;
    opened.on("open", () => {
      ask({ janus: "create" })
        .then((answer) => {
          if (socket !== opened) return;
          session = answer.data?.id ?? null;
          failures = 0;
          alive();
          deps.onUp();
        })
        .catch(() => opened.terminate());
    });
    opened.on("message", (data) => {
      if (socket === opened) hear(String(data));
    });
    // "close" follows.
    opened.on("error", () => undefined);
    opened.on("close", () => {
      if (socket !== opened) return;
      lose("the connection closed");
    });
  };

  const lose = (why: string): void => {
    const was = session !== null;
    socket = null;
    session = null;
    timer?.cancel();
    for (const transaction of pending.keys()) {
      settle(transaction, (p) => p.reject(unavailable(why)));
    }
    if (was) deps.onDown(why);
    if (closed) return;
    const wait = AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)] ?? 5000;
    failures += 1;
    timer = clock.setTimeout(connect, wait);
  };

  connect();
  return {
    get up() {
      return session !== null;
    },
    ask,
    send: (body) => void write(body),
    close() {
      if (closed) return;
      closed = true;
      if (session !== null) write({ janus: "destroy" });
      const former = socket;
      lose("the node is closed");
      former?.close();
    },
  };
}
