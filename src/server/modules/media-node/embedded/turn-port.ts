/**
 * A second UDP port of the media node, for browsers that reach it by TURN over TCP or TLS. On that way Chromium sends ICE the
 * tie-breaker zero (measured: 152 and 156). RFC 8445 allows it, but libjuice takes zero for "no role" and refuses each check by 400, so
 * no connection comes up (libjuice issue 355, open in 1.7.2). This port gives such checks another tie-breaker and passes everything
 * else on unchanged, in both directions. Other checks get no answer here: their way is the node's own port.
 */
import type { RemoteInfo, Socket } from "node:dgram";
import {
  hasZeroTieBreaker,
  isProven,
  readBinding,
  setMapped,
  setTieBreaker,
} from "../stun/binding.ts";

/** Any number but zero. The node is never in control, so it decides nothing. */
const TIE_BREAKER = 1n;
/** ms without a packet of the browser. ICE checks a path every 2.5 s. */
const IDLE_MS = 30_000;

export interface TurnPort {
  readonly port: number;
  /** The node has a connection with these ICE parameters. */
  admit(ufrag: string, password: string): void;
  forget(ufrag: string): void;
  /** Call every few seconds. Ends the ways of browsers that have gone. */
  sweep(): void;
  close(): void;
}

interface Way {
  /** The socket that sends to the node for one browser. The node tells browsers apart by the address of the sender. */
  readonly socket: Socket;
  /** That of the node's connection: it proves the checks of the browser and the answers to them. */
  password: string;
  heard: number;
}

/**
 * @param deps.front a bound socket of IPv4, from now on this port's
 * @param deps.node the node's own port
 * @param deps.open a new socket on the node's address
 * @param deps.limit most browsers at a time
 * @param deps.now ms
 */
export function createTurnPort(deps: {
  readonly front: Socket;
  readonly node: { readonly address: string; readonly port: number };
  readonly open: () => Socket;
  readonly limit: number;
  readonly now: () => number;
}): TurnPort {
  const { front, node } = deps;
  const passwords = new Map<string, string>();
  const ways = new Map<string, Way>();

  /** A check with the tie-breaker zero becomes one that the node understands. @returns its password; null for any other packet */
  const mendCheck = (packet: Buffer): string | null => {
    const binding = readBinding(packet);
    if (binding?.kind !== "request" || !hasZeroTieBreaker(packet, binding)) return null;
    const password = passwords.get(binding.ufrag ?? "");
    if (password === undefined || !isProven(packet, binding, password)) return null;
    setTieBreaker(packet, binding, password, TIE_BREAKER);
    return password;
  };

  /** The browser must read its own address in an answer, not that of the socket that stands for it. */
  const mendAnswer = (packet: Buffer, { password }: Way, to: RemoteInfo): void => {
    const binding = readBinding(packet);
    if (binding?.kind !== "response" || binding.mapped === null) return;
    if (isProven(packet, binding, password)) setMapped(packet, binding, password, to);
  };

  const begin = (from: RemoteInfo, password: string): Way => {
    const socket = deps.open();
    const way: Way = { socket, password, heard: deps.now() };
    socket.on("message", (packet, source) => {
      if (source.port !== node.port) return;
      mendAnswer(packet, way, from);
      front.send(packet, from.port, from.address);
    });
    socket.on("error", () => undefined);
    return way;
  };

  front.on("message", (packet, from) => {
    const key = `${from.address}:${from.port}`;
    const password = mendCheck(packet);
    let way = ways.get(key);
    if (way === undefined) {
      // The port forwards for an address only after a check with the right password. So a stranger cannot make it send.
      if (password === null || ways.size >= deps.limit) return;
      way = begin(from, password);
      ways.set(key, way);
    }
    way.heard = deps.now();
    way.password = password ?? way.password;
    way.socket.send(packet, node.port, node.address);
  });
  front.on("error", () => undefined);

  return {
    port: front.address().port,
    admit: (ufrag, password) => void passwords.set(ufrag, password),
    forget: (ufrag) => void passwords.delete(ufrag),
    sweep() {
      for (const [key, { socket, heard }] of ways) {
        if (deps.now() - heard <= IDLE_MS) continue;
        ways.delete(key);
        socket.close();
      }
    },
    close() {
      for (const { socket } of ways.values()) socket.close();
      ways.clear();
      front.close();
    },
  };
}
