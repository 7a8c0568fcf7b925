/** A transport is one ICE and DTLS-SRTP connection beneath the forwarding: node-datachannel in production, a fake in tests. */
import type { TransportParams, WrittenSection } from "../sdp/write.ts";

export type TransportState = "connected" | "disconnected" | "failed" | "closed";

export interface TransportEvents {
  /** A decrypted RTP or RTCP packet of the section `mid`. */
  packet(mid: string, packet: Buffer): void;
  candidates(candidates: readonly string[]): void;
  state(state: TransportState): void;
}

export interface Transport {
  /**
   * Answers an offer. A further offer is an ICE restart: the transport begins from zero, with other ICE and DTLS parameters.
   *
   * @param offer written by the node (sdp/write.ts)
   * @param sending the sections that this side sends
   * @returns this side's ICE and DTLS parameters for the answer
   */
  accept(offer: string, sending?: readonly WrittenSection[]): Promise<TransportParams>;
  addCandidate(candidate: string, mid: string): void;
  /** @returns false when the packet could not be sent. The buffer is not retained. */
  send(mid: string, packet: Buffer): boolean;
  /** Idempotent. */
  close(): void;
}

export type OpenTransport = (name: string, events: TransportEvents) => Transport;
