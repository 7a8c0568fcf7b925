/** A TCP relay before the server whose connections a test cuts, as a lost network does. Media do not pass it. */
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

export interface Relay {
  /** The server's address through the relay. */
  readonly url: string;
  /** Breaks all connections and accepts none for so many ms. */
  cut(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function startRelay(server: string): Promise<Relay> {
  const { port } = new URL(server);
  const open = new Set<Socket>();
  let isCut = false;
  const relay = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), "localhost");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, "localhost", resolve));
  const breakAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://localhost:${(relay.address() as AddressInfo).port}`,
    async cut(ms) {
      isCut = true;
      breakAll();
      await new Promise((resolve) => setTimeout(resolve, ms));
      isCut = false;
    },
    close() {
      breakAll();
      return new Promise((resolve) => relay.close(() => resolve()));
    },
  };
}
