/**
 * What carries the frames of a signalling session. The session does not know whether this is a websocket of its own
 * (socket-transport.ts) or a connection that it shares with others.
 */
import type { Ticket } from "../../../shared/protocol/rest/rtc.ts";
import type { ConnectionState } from "../../../shared/protocol/state.ts";

export interface TransportLoss {
  /**
   * Why there is no connection:
   * - `bad-ticket`: the server does not accept the ticket;
   * - `replaced`: this person entered over another connection;
   * - `failed`: anything else. The session is entered again over the next connection.
   */
  readonly why: "bad-ticket" | "replaced" | "failed";
  /** Attempts since the last stable connection. */
  readonly attempts: number;
}

/** The session that a transport serves. */
export interface TransportUser {
  /** The current ticket. Its `url` is the address to connect to. */
  ticket(): Ticket;
  /** A connection is there. Nothing was sent over it yet. */
  onOpen(): void;
  /** Parsed JSON, not validated further. */
  onMessage(message: unknown): void;
  /** Called for a message that could not be parsed. */
  onBadMessage(reason: string): void;
  /** Called after each loss and each failed attempt, before the next attempt is scheduled. Return "stop" to make no further one. */
  onLoss(loss: TransportLoss): "stop" | void;
  /** Time to check whether the server still answers. */
  onBeat(): void;
}

export interface Transport {
  readonly state: ConnectionState;
  /** Connects, and connects again after each loss, until `close`. Does nothing when it is open already. */
  open(): void;
  /** @returns false when there is no connection and nothing was sent */
  send(frame: object): boolean;
  /** Replaces a connection that does not answer by another one at once. */
  reconnect(reason: string): void;
  /** Ends the connection; allowed in any state, any number of times. */
  close(): void;
}

/** Makes the transport of one session. It stays closed until `open`. */
export type ConnectTransport = (user: TransportUser) => Transport;
