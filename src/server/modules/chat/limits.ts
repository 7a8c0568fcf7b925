/** Sizes, rates and times of the gateway. */
import { CHAT_RECALL_MS } from "../../../shared/domain/chat-limits.ts";

export const CHAT_LIMITS = {
  /** Bytes of one frame. */
  frameBytes: 256 * 1024,
  framesPerSecond: 50,
  /** Frames that may come at once, before the rate applies. */
  burst: 400,
  /** Devices of a user that may be connected at the same time. */
  connectionsPerUser: 5,
  /** Characters of a text message. */
  textLength: 5000,
  /** Bytes of one message with its ext. */
  messageBytes: 64 * 1024,
  /**
   * Messages per pull. The client de-duplicates only about its last hundred ids, so an unacknowledged batch must be smaller
   * than that.
   */
  pullBatch: 40,
  /** Bytes per pull. At least one message is always delivered. */
  pullBytes: 512 * 1024,
  /** Bytes that may wait for a slow reader before its socket is closed. */
  sendBufferBytes: 4 * 1024 * 1024,
  /** Milliseconds after the socket opened within which the client must log in. */
  loginMs: 15_000,
  /** Milliseconds between pings. A peer that is silent for two of them is disconnected. */
  pingMs: 30_000,
  /** Milliseconds for which own messages can be recalled, as at the provider. */
  recallMs: CHAT_RECALL_MS,
  /** Lifetime of a chat token in seconds. */
  tokenTtlSeconds: 86_400,
  /** Most entries of an inbox, of a person or of a group; the oldest are dropped. */
  inboxEntries: 2000,
  /** Milliseconds for which receipts and commands are kept for de-duplication and for offline devices. */
  transientMs: 7 * 86_400_000,
  /** Milliseconds after which a device that was not seen loses its cursor. */
  cursorMs: 30 * 86_400_000,
  /** Milliseconds between two removals of expired entries. */
  sweepMs: 3_600_000,
  /** Most messages per history request. */
  historyPage: 50,
  /** Most devices per user whose position in the inbox is remembered. */
  cursorsPerUser: 50,
  /** Bytes of the smaller picture that a client adds to a file. */
  thumbBytes: 512 * 1024,
  /** Bytes around the contents of an upload. */
  uploadOverhead: 64 * 1024,
  /** Most parallel uploads of a user, and in total. */
  uploadsPerUser: 4,
  uploads: 40,
  /** Most resumable uploads of a user that wait, and the milliseconds for which one waits. */
  partsPerUser: 10,
  partsMs: 86_400_000,
  /** Milliseconds for which a file is kept. */
  fileMs: 180 * 86_400_000,
} as const;
