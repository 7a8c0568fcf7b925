/** A transport that a test drives: it connects, delivers and loses what the test says. */
import type { Ticket } from "../../../shared/protocol/rest/rtc.ts";
import type { ConnectionState } from "../../../shared/protocol/state.ts";
import type { ConnectTransport, TransportLoss, TransportUser } from "./transport.ts";

export interface FakeTransport {
  readonly connect: ConnectTransport;
  /** Frames that the session sent over any connection. */
  readonly sent: Record<string, unknown>[];
  /** Reasons with which the session replaced its connection. */
  readonly reconnects: string[];
  readonly state: ConnectionState;
  /** The ticket to connect with. */
  readonly ticket: Ticket;
  /** The connection is there. */
  accept(): void;
  receive(message: unknown): void;
  receiveBad(reason: string): void;
  beat(): void;
  /** The connection is lost, or an attempt failed; the next attempt begins unless the session stops it. */
  lose(why?: TransportLoss["why"], attempts?: number): void;
}

export function createFakeTransport(): FakeTransport {
  let user: TransportUser | null = null;
  let state: ConnectionState = "closed";
  const sent: Record<string, unknown>[] = [];
  const reconnects: string[] = [];
  const used = (): TransportUser => {
    if (user === null) throw new Error("the session has made no transport");
    return user;
  };
  const lose = (why: TransportLoss["why"], attempts: number): void => {
    state = "waiting";
    if (used().onLoss({ why, attempts }) === "stop") state = "closed";
    else state = "connecting";
  };
  return {
    connect(nextUser) {
      user = nextUser;
      return {
        get state() {
          return state;
        },
        open() {
          state = "connecting";
        },
        send(frame) {
          if (state !== "open") return false;
          sent.push({ ...frame });
          return true;
        },
        reconnect(reason) {
          reconnects.push(reason);
          if (state === "open") lose("failed", 0);
        },
        close() {
          state = "closed";
        },
      };
    },
    sent,
    reconnects,
    get state() {
      return state;
    },
    get ticket() {
      return used().ticket();
    },
    accept() {
      state = "open";
      used().onOpen();
    },
    receive: (message) => used().onMessage(message),
    receiveBad: (reason) => used().onBadMessage(reason),
    beat: () => used().onBeat(),
    lose: (why = "failed", attempts = 0) => lose(why, attempts),
  };
}
