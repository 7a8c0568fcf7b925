/**
 * The protection that every WebSocket of the server needs, whatever its protocol: a rate limit, a count of bad frames, a
 * heartbeat that terminates dead peers, and a bound on unsent bytes. It does not look into the frames.
 */
import type { RawData, WebSocket } from "ws";
import { WS_CLOSE } from "../../shared/protocol/signalling.ts";
import { createTokenBucket } from "./limits/token-bucket.ts";
import type { Clock } from "./module.ts";

export interface SocketLimits {
  readonly framesPerSecond: number;
  readonly burst: number;
  /** Bad frames before the socket is closed. Frames over the rate are counted separately against the same limit. */
  readonly badFrames: number;
  /** Milliseconds between pings. Default: HEARTBEAT_MS. */
  readonly pingMs?: number;
  /** Bytes that may wait for a slow peer. Default: SEND_BUFFER_BYTES. */
  readonly sendBufferBytes?: number;
}

/** Milliseconds between pings of a JSON socket. A peer that sends nothing during a whole interval is terminated. */
export const HEARTBEAT_MS = 25_000;
/**
 * Bytes that may wait for a slow peer. A peer above this limit is terminated, because the waiting frames of a call would fill
 * the memory.
 */
export const SEND_BUFFER_BYTES = 8 * 1024 * 1024;

export interface SocketGuard {
  /**
   * Sends bytes as a binary frame, anything else as JSON.
   *
   * @returns false when the peer cannot be reached; the frame is then dropped
   */
  send(frame: unknown): boolean;
  /** Allows this many frames in addition to the rate. */
  grant(frames: number): void;
  /** Counts a frame that could not be parsed. Closes the socket with 4400 after too many. */
  bad(): void;
  /** Idempotent. No frame is passed on afterwards. */
  close(code: number, reason: string): void;
  readonly open: boolean;
}

/**
 * @param handlers.onText receives a text frame within the rate
 * @param handlers.onBinary receives a binary frame within the rate; a JSON protocol answers it and calls bad()
 * @param handlers.onLimited called for a frame over the rate, which is dropped unread; repeated ones close the socket with 4429
 * @param handlers.onGone called once, when the socket is closed or was terminated
 */
export function createSocketGuard(
  socket: WebSocket,
  clock: Clock,
  limits: SocketLimits,
  handlers: {
    readonly onText: (text: string) => void;
    readonly onBinary: (bytes: Uint8Array) => void;
    readonly onLimited: () => void;
    readonly onGone: () => void;
  },
): SocketGuard {
  const bucket = createTokenBucket(clock, {
    burst: limits.burst,
    perSecond: limits.framesPerSecond,
  });
  const pingMs = limits.pingMs ?? HEARTBEAT_MS;
  const sendBufferBytes = limits.sendBufferBytes ?? SEND_BUFFER_BYTES;
  let badFrames = 0;
  let limited = 0;
  let alive = true;
  let closed = false;
  let gone = false;
  let heartbeat = clock.setTimeout(beat, pingMs);

  function beat(): void {
    if (!alive) {
      socket.terminate();
      leave();
      return;
    }
    alive = false;
    if (socket.readyState === socket.OPEN) socket.ping();
    heartbeat = clock.setTimeout(beat, pingMs);
  }

  function leave(): void {
    closed = true;
    if (gone) return;
    gone = true;
    heartbeat.cancel();
    handlers.onGone();
  }

  function close(code: number, reason: string): void {
    if (closed) return;
    closed = true;
    socket.close(code, reason);
  }

  socket.on("message", (data, isBinary) => {
    alive = true;
    if (closed) return;
    if (!bucket.tryConsume()) {
      limited += 1;
      handlers.onLimited();
      if (limited >= limits.badFrames) close(WS_CLOSE.tooMany, "too many frames");
      return;
    }
    if (isBinary) handlers.onBinary(bytesOf(data));
    else handlers.onText(data.toString());
  });
  socket.on("pong", () => {
    alive = true;
  });
  // After an oversized frame, invalid UTF-8 or a reset, ws closes the socket automatically. Without this listener the error would
  // end the process.
  socket.on("error", () => undefined);
  socket.on("close", leave);

  return {
    send(frame) {
      if (socket.readyState !== socket.OPEN || gone) return false;
      if (socket.bufferedAmount > sendBufferBytes) {
        socket.terminate();
        leave();
        return false;
      }
      socket.send(frame instanceof Uint8Array ? frame : JSON.stringify(frame));
      return true;
    },
    grant: bucket.grant,
    bad() {
      badFrames += 1;
      if (badFrames >= limits.badFrames) close(WS_CLOSE.badFrames, "too many bad frames");
    },
    close,
    get open() {
      return !closed;
    },
  };
}

/** The bytes of a frame, in whatever form ws delivers them. */
function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
