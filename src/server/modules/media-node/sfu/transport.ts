/** What carries packets beneath the forwarding: one connection of ICE and DTLS-SRTP. node-datachannel in earnest, a fake in tests. */
import type { LinkParams, WrittenSection } from "../sdp/write.ts";

export type TransportState = "connected" | "disconnected" | "failed" | "closed";

export interface TransportEvents {
  /** RTP or RTCP, decrypted, of the section `mid`. */
  packet(mid: string, packet: Buffer): void;
  candidates(candidates: readonly string[]): void;
  state(state: TransportState): void;
}

export interface Transport {
  /** @param offer made by the node's own writer @returns the own side's part of the answer */
  accept(offer: string): Promise<LinkParams>;
  /** @returns the own side's part of the offer */
  offer(sections: readonly WrittenSection[]): Promise<LinkParams>;
  complete(answer: string): void;
  addCandidate(candidate: string, mid: string): void;
  /** @returns false when it could not be sent. The buffer is not kept. */
  send(mid: string, packet: Buffer): boolean;
  /** Idempotent. */
  close(): void;
}

export type OpenTransport = (name: string, events: TransportEvents) => Transport;
