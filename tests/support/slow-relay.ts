/** A TCP relay that simulates a weak mobile network: one bandwidth shared by all connections, and a delay. */
import { connect, createServer, type Socket } from "node:net";

export interface SlowRelay {
  /** URL of the server through the relay. */
  readonly url: string;
  /** Bytes that the server has sent through the relay so far. */
  readonly received: () => number;
  /** How many connections came so far. */
  readonly connections: () => number;
  /** Another network from now on. What is on its way keeps its time. */
  change(network: SlowNetwork): void;
  close(): Promise<void>;
}

export interface SlowNetwork {
  /** Round trip in ms. A new connection waits for one more, because a handshake takes no time on loopback. */
  readonly roundTrip: number;
  /** Bandwidth per direction, shared by all connections. */
  readonly kbitPerSecond: number;
}
export interface SlowRelayOptions extends SlowNetwork {
  /** Port of the server behind the relay. */
  readonly port: number;
  /** Address on which the relay listens. The default is the loopback's. */
  readonly host?: string;
}

/** Passes bytes in order at a fixed rate: a piece waits until all earlier pieces have left. */
function createPipe(network: () => SlowNetwork) {
  let freeAt = 0;
  return (bytes: number): number => {
    const { kbitPerSecond, roundTrip } = network();
    const now = performance.now();
    freeAt = Math.max(now, freeAt) + (bytes * 8) / kbitPerSecond;
    return freeAt - now + roundTrip / 2;
  };
}

export async function startSlowRelay(options: SlowRelayOptions): Promise<SlowRelay> {
  const { port, host = "127.0.0.1" } = options;
  let network: SlowNetwork = options;
  const up = createPipe(() => network);
  const down = createPipe(() => network);
  const sockets = new Set<Socket>();
  let received = 0;
  let connections = 0;

  const relay = (from: Socket, to: Socket, pipe: (bytes: number) => number, opened: number) => {
    // Small pieces, so that connections share the bandwidth as they would share that of a real network.
    const PIECE = 1400;
    let last = opened;
    // A busy process may run timers of different lengths out of order; the queue keeps the order of the bytes.
    const queue: (() => void)[] = [];
    const later = (bytes: number, run: () => void): void => {
      last = Math.max(last, performance.now() + pipe(bytes));
      queue.push(run);
      setTimeout(() => queue.shift()?.(), last - performance.now());
    };
    from.on("data", (chunk: Buffer) => {
      if (pipe === down) received += chunk.length;
      for (let at = 0; at < chunk.length; at += PIECE) {
        const piece = chunk.subarray(at, at + PIECE);
        later(piece.length, () => void (to.writable && to.write(piece)));
      }
    });
    from.on("end", () => later(0, () => to.end()));
    from.on("close", () => later(0, () => to.destroy()));
    from.on("error", () => to.destroy());
  };

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    }
    connections += 1;
    const opened = performance.now() + network.roundTrip;
    relay(near, far, up, opened);
    relay(far, near, down, opened);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the relay has no port");
  return {
    url: `http://${options.host ?? "localhost"}:${address.port}`,
    received: () => received,
    connections: () => connections,
    change(next) {
      network = next;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
