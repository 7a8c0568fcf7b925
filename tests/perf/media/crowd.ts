/** The benchmark's side of headless.ts, and of relays.ts when packets are to be lost. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { hostAddress } from "../../media/janus-process.ts";
import type { FromHeadless, HeadlessFigures, ToHeadless } from "./headless.ts";
import type { FromRelays, ToRelays } from "./relays.ts";

export interface Crowd {
  /** @returns the offer of a new subscriber */
  watch(id: string): Promise<string>;
  /** Gives a subscriber the node's answer. */
  answer(id: string, sdp: string): Promise<void>;
  candidate(id: string, candidate: string): void;
  /** Share of packets to lose, 0..1; only for a crowd that was started with `lossy`. */
  loss(value: number): void;
  figures(): Promise<HeadlessFigures>;
  close(): Promise<void>;
}

const start = (file: string): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), [], { execArgv: ["--import", "tsx"] });

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.disconnect();
  });

/** @param lossy whether all packets go through relays */
export async function startCrowd(lossy: boolean): Promise<Crowd> {
  const child = start("./headless.ts");
  const relays = lossy ? start("./relays.ts") : null;
  const offers = new Map<string, (sdp: string) => void>();
  const rewritten = new Map<number, (text: string) => void>();
  const asked: ((figures: HeadlessFigures) => void)[] = [];
  let number = 0;
  const send = (message: ToHeadless): void => void child.send(message);
  relays?.on("message", ({ n, text }: FromRelays) => {
    rewritten.get(n)?.(text);
    rewritten.delete(n);
  });
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the process of the headless subscribers ended")));
    child.on("message", (message: FromHeadless) => {
      if (message.t === "ready") resolve();
      else if (message.t === "offer") offers.get(message.id)?.(message.sdp);
      else asked.shift()?.(message.figures);
    });
  });
  const through = (id: string, text: string): Promise<string> =>
    new Promise((resolve) => {
      if (relays === null) return resolve(text);
      const n = (number += 1);
      rewritten.set(n, resolve);
      relays.send({ t: "open", n, id, address: hostAddress(), text } satisfies ToRelays);
    });
  return {
    async watch(id) {
      const offer = await new Promise<string>((resolve) => {
        offers.set(id, resolve);
        send({ t: "watch", id });
      });
      // Without this, the node would find a path around the relay.
      return relays === null ? offer : offer.replaceAll(/a=candidate.*\r\n/g, "");
    },
    async answer(id, sdp) {
      send({ t: "answer", id, sdp: await through(id, sdp) });
    },
    candidate(id, candidate) {
      void through(id, candidate).then((text) => {
        if (text !== "") send({ t: "candidate", id, candidate: text });
      });
    },
    loss: (value) => void relays?.send({ t: "loss", value } satisfies ToRelays),
    figures: () =>
      new Promise((resolve) => {
        asked.push(resolve);
        send({ t: "figures" });
      }),
    async close() {
      await end(child);
      if (relays !== null) await end(relays);
    },
  };
}
