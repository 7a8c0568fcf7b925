/** The address of a socket of signalling (docs/conferences.md#tickets). */
import { expect } from "vitest";
import { rowChecks } from "../../../shared/row-checks.harness.ts";
import { createFakeEnv, settle, UNREAD_STATS } from "../core.fake.ts";
import { socketTransport, socketUrl } from "./socket-transport.ts";

const HOME = "https://console.example";

/** Rows of the conference catalogue (tests/conference/catalogue-tracks.ts). */
export const checks = rowChecks({
  "socket.origin: A path is completed with the configured origin, else with the page's": () => {
    expect(socketUrl("/conference", "https://gateway.example", HOME)).toBe(
      "wss://gateway.example/conference",
    );
    expect(socketUrl("/conference?confr=1", "", HOME)).toBe(
      "wss://console.example/conference?confr=1",
    );
    expect(socketUrl("wss://media.example/ws", "", HOME)).toBe("wss://media.example/ws");
  },

  "socket.scheme: The scheme is wss on a page with TLS, else ws": () => {
    expect(socketUrl("/conference", "", "http://localhost:8080")).toBe(
      "ws://localhost:8080/conference",
    );
    expect(socketUrl("/conference", "", HOME)).toMatch(/^wss:/);
  },

  "socket.counter: A counter is appended on each connection, beside the query of the ticket":
    async () => {
      const env = createFakeEnv();
      const socket = socketTransport({
        env,
        stats: UNREAD_STATS,
        delays: () => 0,
        pingIntervalMillis: 10_000,
        pingTimeoutMillis: 3_000,
      } as never)({
        ticket: () => ({ url: "/conference?confr=7" }),
        onOpen: () => undefined,
        onMessage: () => undefined,
        onBadMessage: () => undefined,
        onLoss: () => undefined,
        onBeat: () => undefined,
      } as never);
      socket.open();
      await settle();
      env.sockets[0]?.accept();
      env.sockets[0]?.end(1006);
      for (let ms = 0; ms < 5_000 && env.sockets.length < 2; ms += 100) {
        env.clock.advance(100);
        await settle();
      }
      const queries = env.sockets.map(({ url }) =>
        Object.fromEntries(new URL(url).searchParams.entries()),
      );
      expect(queries).toEqual([
        { confr: "7", _n: "1" },
        { confr: "7", _n: "2" },
      ]);
      socket.close();
    },
});
