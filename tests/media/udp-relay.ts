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
  /** bit/s towards the browsers of one address; 0: unlimited */
  rate: number;
  /** bit/s from the browsers of one address; 0: unlimited */
  rateUp: number;
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

export interface RelayOptions {
  /** Called with each packet that reaches the browser. */
  readonly delivered?: (packet: Buffer) => void;
  /** Port on which the relay listens. The default is a free one. */
  readonly port?: number;
  /** Where the node is. Without it, the relay learns it from the candidate that it rewrites. */
  readonly target?: { readonly address: string; readonly port: number };
}

/** @param address address of this machine on which the relay listens */
export async function createUdpRelay(
  address: string,
  random = Math.random,
  options: RelayOptions = {},
): Promise<UdpRelay> {
  const { delivered = () => undefined } = options;
  const trouble: NetworkTrouble = { loss: 0, delay: 0, cut: false, rate: 0, rateUp: 0 };
  const front = createSocket("udp4");
  const upstream = new Map<string, Socket>();
  let target = options.target ?? null;
  let closed = false;
  let dropped = 0;
  /** When the last packet has left, for each address in each direction. */
  const freeAt = new Map<string, number>();
  await new Promise<void>((resolve) => front.bind(options.port ?? 0, address, resolve));

  const pass = (bytes: number, rate: number, route: string, run: () => void): void => {
    if (trouble.cut) return;
    if (random() < trouble.loss) {
      dropped += 1;
      return;
    }
    let wait = trouble.delay;
    if (rate > 0) {
      const now = performance.now();
      const free = Math.max(freeAt.get(route) ?? 0, now) + (bytes * 8000) / rate;
      if (free - now > QUEUE_MS) return;
      freeAt.set(route, free);
      wait += free - now;
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
        pass(answer.length, trouble.rate, `to ${from.address}`, () => {
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
    pass(packet.length, trouble.rateUp, `from ${from.address}`, () =>
      socket.send(packet, to.port, to.address),
    );
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
