/** A deployment replaces addresses on their way to the socket and to the owner tab (docs/conferences.md#addresses). */
import { expect } from "vitest";
import { rowChecks } from "../../../shared/row-checks.harness.ts";
import { addressRewrites } from "../../../shared/domain/address-rewrites.ts";
import { writeCandidates } from "../../../shared/protocol/confr-parts.ts";
import { commands } from "../../../shared/protocol/core-rpc.ts";
import { deployConfigSchema } from "../../../shared/protocol/rest/confr.ts";
import { at, createConferenceWorld, ENTRY, TICKET } from "./conferences.harness.ts";

const DEPLOY = deployConfigSchema.parse({
  ws: "media.example:8443",
  turn: "turn.example",
  rtc: {
    candidate_map: [
      {
        src: { ip: "10.0.0.5", min_port: 30_000, max_port: 30_010 },
        dst: { ip: "203.0.113.7", min_port: 40_000, max_port: 40_010 },
      },
    ],
  },
});
const candidate = (address: string): string => `candidate:1 1 udp 7 ${address} typ host`;
const INSIDE = candidate("10.0.0.5 30002");
const OUTSIDE = candidate("203.0.113.7 40002");

/** Rows of the conference catalogue (tests/conference/catalogue-tracks.ts). */
export const checks = rowChecks({
  "deploy.rewrites: The socket, the TURN servers, the candidates and the descriptions have the addresses of the deployment":
    async () => {
      const world = createConferenceWorld();
      Object.assign(world.env, { rewrites: () => addressRewrites(DEPLOY) });
      const tab = world.openTab("t1");
      world.server.iceServers = [{ urls: "turn:inside:3478?transport=udp" }];
      const ticket = { ...TICKET, url: "wss://inside/conference" };
      const { handlers } = world.make();
      const input = commands.conference.joinWithTicket.input.parse({ ...ENTRY, ticket });
      const entering = handlers.joinWithTicket(input, at("t1"));
      await world.run(200);
      expect(await entering).toMatchObject({ confrId: "c1" });
      await world.run(200);
      expect(world.env.sockets.map(({ url }) => new URL(url).host)).toEqual(["media.example:8443"]);
      expect(tab.iceServers).toEqual([{ urls: "turn:turn.example?transport=udp" }]);

      const rtcId = [...world.server.rtcIds.keys()][0] ?? "";
      const { socket, sessId } = world.server;
      socket?.receive({ op: 105, sessId, rtcId, cands: writeCandidates([{ candidate: INSIDE }]) });
      const sdp = JSON.stringify({ type: "ANSWER", sdp: `v=0\r\na=${INSIDE}\r\n` });
      socket?.receive({ op: 106, sessId, rtcId, sdp });
      await world.run(50);
      const given = JSON.stringify(tab.orders);
      expect(given).toContain(OUTSIDE);
      expect(given).toContain(`v=0\\r\\na=${OUTSIDE}\\r\\n`);
      expect(given).not.toContain("10.0.0.5");
    },
});
