/** The media process: forwarding on node-datachannel, controlled by messages from the server. It exits when the server is gone. */
import { createSocket, type Socket } from "node:dgram";
import { initLogger } from "node-datachannel";
import { AppError } from "../../../../shared/errors.ts";
import { createSfu } from "../sfu/index.ts";
import { createImpairment } from "./impair.ts";
import { createNdcTransports } from "./ndc-transport.ts";
import {
  processOptionsSchema,
  toProcessSchema,
  type FromProcess,
  type ProcessOptions,
} from "./protocol.ts";
import { createTurnPort, type TurnPort } from "./turn-port.ts";

const TICK_MS = 25;
/** The server also takes these messages as the sign that this process is alive. */
const STATS_MS = 1000;
const SWEEP_MS = 5000;

const sendToParent = (message: FromProcess): void => {
  if (process.connected) process.send?.(message);
};

/** @param port 0: any free one. @returns a bound socket. @throws Error when the port is in use */
function bound(port: number, bind: string | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: bind?.includes(":") === true ? "udp6" : "udp4" });
    socket.once("error", reject);
    socket.bind({ port, ...(bind === undefined ? {} : { address: bind }), exclusive: true }, () =>
      resolve(socket),
    );
  });
}

/** @returns the port; a free one for 0. @throws Error when the port is in use */
async function takePort(port: number, bind: string | undefined): Promise<number> {
  const socket = await bound(port, bind);
  const free = socket.address().port;
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return free;
}

/** @returns undefined without one. @throws Error when its port is in use */
async function openTurnPort(options: ProcessOptions, port: number): Promise<TurnPort | undefined> {
  const { turnPort, bind, capacity } = options;
  // Relays have addresses of IPv4.
  if (turnPort === undefined || bind?.includes(":") === true) return undefined;
  const front = await bound(turnPort, bind);
  const address = bind === undefined || bind === "0.0.0.0" ? "127.0.0.1" : bind;
  const open = (): Socket => {
    const socket = createSocket("udp4");
    socket.bind({ port: 0, address });
    return socket;
  };
  return createTurnPort({
    front,
    node: { address, port },
    open,
    limit: capacity,
    now: () => performance.now(),
  });
}

async function main(): Promise<void> {
  const options = processOptionsSchema.parse(JSON.parse(process.argv[2] ?? "{}"));
  initLogger("Fatal", () => undefined);
  const port = await takePort(options.port, options.bind);
  const turnPort = await openTurnPort(options, port);
  const impairment = createImpairment({ random: Math.random, later: setTimeout });
  const sfu = createSfu({
    open: impairment.wrap(createNdcTransports({ ...options, port, turnPort })),
    // With fractions: feedback reports arrival times in quarters of a millisecond.
    now: () => performance.now(),
    emit: (event) =>
      sendToParent({
        t: "event",
        event: event.t === "candidates" ? { ...event, cands: [...event.cands] } : event,
      }),
    capacity: options.capacity,
  });
  setInterval(() => sfu.tick(), TICK_MS);
  setInterval(() => sendToParent({ t: "stats", stats: sfu.stats() }), STATS_MS);
  setInterval(() => turnPort?.sweep(), SWEEP_MS);

  const answer = (n: number, work: () => unknown): void => {
    Promise.resolve()
      .then(work)
      .then(
        (value) => sendToParent({ t: "answered", n, value: value ?? null }),
        (error: unknown) => sendToParent({ t: "refused", n, error: AppError.from(error).toWire() }),
      );
  };
  const end = (): void => {
    sfu.close();
    turnPort?.close();
    // Do not wait for the native threads: they have nothing left to lose.
    process.exit(0);
  };

  process.on("message", (raw) => {
    const parsed = toProcessSchema.safeParse(raw);
    if (!parsed.success) {
      const n = (raw as { n?: unknown }).n;
      if (typeof n === "number") {
        sendToParent({ t: "refused", n, error: new AppError("conference.invalid").toWire() });
      }
      return;
    }
    const m = parsed.data;
    switch (m.t) {
      case "publish": {
        const { maxVideoBitrate, held, ...request } = m.request;
        return answer(m.n, () =>
          sfu.publish({
            ...request,
            ...(maxVideoBitrate === undefined ? {} : { maxVideoBitrate }),
            ...(held === undefined ? {} : { held }),
          }),
        );
      }
      case "subscribe":
        return answer(m.n, () => sfu.subscribe(m.request));
      case "restart":
        return answer(m.n, () => sfu.restart(m.id, m.offer));
      case "stats":
        return answer(m.n, () => sfu.stats());
      case "candidates":
        return sfu.candidates(m.id, m.cands);
      case "select":
        return sfu.select(m.id, m.wanted);
      case "hold":
        return sfu.hold(m.id, m.held);
      case "closeConnection":
        return sfu.closeConnection(m.id);
      case "closeConference":
        return sfu.closeConference(m.conferenceId);
      case "impair":
        return impairment.set(m.to);
      case "end":
        return end();
    }
  });
  process.on("disconnect", end);
  // Ctrl-C in a terminal reaches both processes. The server decides when this one stops.
  process.on("SIGINT", () => undefined);
  sendToParent({ t: "ready", port });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
