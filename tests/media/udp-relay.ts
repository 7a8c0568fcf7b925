/**
 * A bad network within the process, where netem is not available: UDP packets through the relay are lost, delayed, cut or limited
 * in rate. It stands between a browser and a media node, and replaces the node's candidate by its own.
 */
import { createSocket, type Socket } from "node:dgram";

export interface NetworkTrouble {
  /** 0..1, per direction */
  loss: number;
  /** ms, per direction */
  delay: number;
  cut: boolean;
  /** bit/s towards the browser; 0: unlimited */
  rate: number;
}
export interface UdpRelay {
  readonly trouble: NetworkTrouble;
  /** Packets dropped because of `loss`, both directions together. */
  readonly dropped: number;
  /** Rewrites a candidate of the node to the relay's address. */
  rewrite(candidate: string): string;
  /** Idempotent. */
  close(): void;
}

/** ms that a packet may wait in the queue of a limited rate. */
const QUEUE_MS = 300;

/**
 * @param address address of this machine on which the relay listens
 * @param delivered called with each packet that reaches the browser
 */
export async function createUdpRelay(
  address: string,
  random = Math.random,
  delivered: (packet: Buffer) => void = () => undefined,
): Promise<UdpRelay> {
  const trouble: NetworkTrouble = { loss: 0, delay: 0, cut: false, rate: 0 };
  const front = createSocket("udp4");
  const upstream = new Map<string, Socket>();
  let target: { address: string; port: number } | null = null;
  let closed = false;
  let dropped = 0;
  let freeAt = 0;
  await new Promise<void>((resolve) => front.bind(0, address, resolve));

  const pass = (bytes: number, bounded: boolean, run: () => void): void => {
    if (trouble.cut) return;
    if (random() < trouble.loss) {
      dropped += 1;
      return;
    }
    let wait = trouble.delay;
    if (bounded && trouble.rate > 0) {
      const now = performance.now();
      freeAt = Math.max(freeAt, now) + (bytes * 8000) / trouble.rate;
      if (freeAt - now > QUEUE_MS) {
        freeAt -= (bytes * 8000) / trouble.rate;
        return;
      }
      wait += freeAt - now;
    }
    const go = (): void => {
      if (!closed) run();
    };
    if (wait > 0) setTimeout(go, wait);
    else go();
  };

  front.on("message", (packet, from) => {
    const to = target;
    if (to === null) return;
    const key = `${from.address}:${from.port}`;
    let back = upstream.get(key);
    if (back === undefined) {
      const made = createSocket("udp4");
      made.on("message", (answer) =>
        pass(answer.length, true, () => {
          delivered(answer);
          front.send(answer, from.port, from.address);
        }),
      );
      made.on("error", () => undefined);
      made.bind(0, address);
      upstream.set(key, made);
      back = made;
    }
    const socket = back;
    pass(packet.length, false, () => socket.send(packet, to.port, to.address));
  });

  return {
    trouble,
    get dropped() {
      return dropped;
    },
    rewrite(candidate) {
      const parts = candidate.split(" ");
      if (parts[4]?.includes(":") === true) return "";
      target ??= { address: parts[4] ?? "", port: Number(parts[5]) };
      parts[4] = address;
      parts[5] = String(front.address().port);
      return parts.join(" ");
    },
    close() {
      if (closed) return;
      closed = true;
      front.close();
      for (const socket of upstream.values()) socket.close();
    },
  };
}

/** Rewrites a description to the relay's address. */
export const rewriteCandidates = (sdp: string, relay: UdpRelay): string =>
  sdp
    .split("\r\n")
    .flatMap((line) => {
      if (!line.startsWith("a=candidate:")) return [line];
      const candidate = relay.rewrite(line.slice(2));
      return candidate === "" ? [] : [`a=${candidate}`];
    })
    .join("\r\n");
