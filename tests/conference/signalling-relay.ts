/** A relay of the conference's socket that a test lets say what this server says rarely, or never: op 452, a refusal, a codec that does not fit. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

type Frame = Record<string, unknown>;
const ENTER = 200;

export interface SignallingRelay {
  /** Host and port, for the `ws` of a deploy configuration. */
  readonly host: string;
  /** What to do with a client's next frames. A refusal is answered in the server's place; `drop` answers nothing. */
  answer(op: number, how: { readonly result: number; readonly msg?: string } | "drop" | null): void;
  /** The ticket with which the server lets a client in, in place of the one that it shows. */
  ticket: unknown;
  /** The address from which the server sees the client come, as it says at the enter; null: as it is. */
  address: string | null;
  /** Sends an event to the client in the name of the server. */
  say(event: Frame): void;
  /** Frames of the client so far. */
  readonly sent: readonly Frame[];
  /** Breaks the connections. New ones come through. */
  cut(): void;
  close(): Promise<void>;
}

/** @param server its address @param origin of the page, which the server allows */
export async function startSignallingRelay(
  server: string,
  origin: string,
): Promise<SignallingRelay> {
  const answers = new Map<number, { result: number; msg?: string } | "drop">();
  const sent: Frame[] = [];
  const open = new Set<WebSocket>();
  let sessId = "";
  let near: WebSocket | null = null;
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  const relay = {
    ticket: undefined as unknown,
    address: null as string | null,
    sent,
    answer(op: number, how: { result: number; msg?: string } | "drop" | null): void {
      if (how === null) answers.delete(op);
      else answers.set(op, how);
    },
    say: (event: Frame): void => near?.send(JSON.stringify({ sessId, ...event })),
    cut(): void {
      for (const socket of open) socket.terminate();
    },
  };
  sockets.on("connection", (client, request) => {
    const target = new URL(request.url ?? "/", server.replace(/^http/, "ws"));
    const far = new WebSocket(target, { origin });
    const waiting: string[] = [];
    near = client;
    open.add(client);
    client.on("close", () => {
      open.delete(client);
      far.close();
    });
    far.on("error", () => client.terminate());
    far.on("close", () => client.close());
    far.on("open", () => {
      for (const text of waiting.splice(0)) far.send(text);
    });
    far.on("message", (data) => {
      const text = String(data);
      const frame = JSON.parse(text) as Frame;
      if (typeof frame["sessId"] === "string") sessId = frame["sessId"];
      const isElsewhere = relay.address !== null && frame["yourIp"] !== undefined;
      client.send(isElsewhere ? JSON.stringify({ ...frame, yourIp: relay.address }) : text);
    });
    client.on("message", (data) => {
      const frame = JSON.parse(String(data)) as Frame;
      sent.push(frame);
      const { op, tsxId, rtcId } = frame;
      const how = answers.get(Number(op));
      if (how === "drop") return;
      if (how !== undefined) {
        const about = op === ENTER ? {} : { sessId, rtcId };
        client.send(JSON.stringify({ op: 1001, tsxId, ...about, ...how }));
        return;
      }
      if (op === ENTER && relay.ticket !== undefined) frame["tkt"] = relay.ticket;
      const text = JSON.stringify(frame);
      if (far.readyState === WebSocket.OPEN) far.send(text);
      else waiting.push(text);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "localhost", resolve));
  return Object.assign(relay, {
    host: `localhost:${(http.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.terminate();
      sockets.close();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  });
}
