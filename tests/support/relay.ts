/** A TCP relay before a server whose connections a test cuts, as a lost network does. Media do not pass it. */
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/**
 * How a network is lost. `reset`: each connection breaks, and a new one is refused. `silent`: nothing is answered any more, neither by
 * connections that are open nor by new ones, and none of them says so.
 */
export type Cut = "reset" | "silent";

export interface Relay {
  /** The server's address through the relay. */
  readonly url: string;
  /** Breaks all connections and accepts none for so many ms. */
  cutFor(ms: number): Promise<void>;
  /** Cuts the network until it is mended. */
  cut(how: Cut): void;
  /** Connections that were new to the silent network go through, as their packets are sent again. Those that it has silenced stay lost. */
  mend(): void;
  /** Sockets that a cut has hit so far. */
  readonly broken: () => number;
  close(): Promise<void>;
}

export async function startRelay(server: string): Promise<Relay> {
  const { port } = new URL(server);
  const open = new Set<Socket>();
  let waiting: Socket[] = [];
  let cut: Cut | null = null;
  let broken = 0;
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  };
  const pass = (near: Socket): void => {
    const far = connect(Number(port), "localhost");
    keep(far);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
      one.pipe(other);
    }
  };
  const relay = createServer((near) => {
    near.on("error", () => undefined);
    if (cut === "reset") {
      near.resetAndDestroy();
      return;
    }
    keep(near);
    if (cut === "silent") waiting.push(near.pause());
    else pass(near);
  });
  await new Promise<void>((resolve) => relay.listen(0, "localhost", resolve));
  const cutNow = (how: Cut): void => {
    cut = how;
    broken += open.size;
    for (const socket of open) {
      if (how === "reset") socket.resetAndDestroy();
      else socket.unpipe().pause();
    }
  };
  const mend = (): void => {
    cut = null;
    const late = waiting.filter((socket) => !socket.destroyed);
    waiting = [];
    for (const socket of late) pass(socket);
  };
  return {
    url: `http://localhost:${(relay.address() as AddressInfo).port}`,
    async cutFor(ms) {
      cutNow("reset");
      await new Promise((resolve) => setTimeout(resolve, ms));
      mend();
    },
    cut: cutNow,
    mend,
    broken: () => broken,
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => relay.close(() => resolve()));
    },
  };
}
