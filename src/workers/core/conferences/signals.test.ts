/** What the core says once: each cause one signal, which every tab reads. */
import { expect, it } from "vitest";
import { rowChecks } from "../../../shared/row-checks.harness.ts";
import {
  at,
  createConferenceWorld,
  ENTRY,
  joined,
  own,
  type World,
} from "./conferences.harness.ts";
import { endOfTicket, TICKET_WARNING_MILLIS } from "./signals.ts";

const said = (world: World) => world.slice.signals.map(({ code, details }) => [code, details]);

it("The end of a ticket is read from it, whatever it is", () => {
  const token = (claims: unknown): string => `h.${btoa(JSON.stringify(claims))}.s`;
  expect(endOfTicket(token({ exp: 12 }))).toBe(12_000);
  for (const other of ["", "x", "a.b.c", token(null), token({ exp: "12" })]) {
    expect(endOfTicket(other)).toBeNull();
  }
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts). */
export const checks = rowChecks({
  "signal.network: A change of the network is said once, however many connections notice it":
    async () => {
      const { world, tab } = await joined();
      for (const rtcId of ["a", "b"]) tab.emitConferenceEvent({ t: "moved", rtcId });
      expect(said(world)).toEqual([["NetworkChanaged", {}]]);
      await world.run(2_000);
      tab.emitConferenceEvent({ t: "moved", rtcId: "a" });
      expect(said(world)).toHaveLength(2);
    },
  "signal.ticket: A ticket is said to end five minutes before, and at its end": async () => {
    const world = createConferenceWorld();
    world.openTab("t1");
    world.server.role = 3;
    const { handlers } = world.make();
    const ends = world.now() + TICKET_WARNING_MILLIS + 60_000;
    world.ticket.tktId = `h.${btoa(JSON.stringify({ exp: ends / 1000 }))}.s`;
    const began = handlers.join({ confrId: "c1", password: "", ...ENTRY }, at("t1"));
    await world.run(200);
    await began;
    const codes = () => world.slice.signals.map(({ code }) => code);
    expect(codes()).toEqual([]);
    await world.run(60_000);
    expect(codes()).toEqual(["TicketExpiring"]);
    await world.run(TICKET_WARNING_MILLIS);
    expect(codes()).toEqual(["TicketExpiring", "TicketExpired"]);
  },
  "signal.codecs: A codec that cannot be received names its stream": async () => {
    const { world, tab } = await joined();
    world.server.enter("b");
    world.server.publish("b", "sb");
    await world.run(200);
    const [rtcId] = [...tab.openConnections].find(([, what]) => what === "subscribe") ?? [""];
    world.server.sendFrame({ op: 107, rtcId, endReason: 22 });
    await world.run(200);
    expect(world.slice.signals).toMatchObject([
      { code: "SubFailNotSupportVCodes", streamId: "sb", result: 22 },
    ]);
  },
  "signal.ice-fail, signal.candidate: A connection whose ICE fails, or which lacks a candidate, names its stream, once per cause":
    async () => {
      const { world, tab } = await joined();
      world.server.enter("b");
      world.server.publish("b", "sb");
      await world.run(200);
      const [rtcId] = [...tab.openConnections].find(([, what]) => what === "subscribe") ?? [""];
      for (let times = 0; times < 2; times += 1) {
        tab.emitConferenceEvent({ t: "candidate-refused", rtcId });
        tab.emitConferenceEvent({ t: "candidate-refused", rtcId: "unknown" });
      }
      expect(world.slice.signals).toMatchObject([{ code: "AddIceCandError", streamId: "sb" }]);
      expect(world.slice.streams["sb"]).toMatchObject({ connection: "connected", rtcId });
      tab.ice(rtcId, "disconnected");
      expect(world.slice.signals).toHaveLength(1);
      tab.ice(rtcId, "failed");
      tab.ice(rtcId, "closed");
      const [pub] = [...tab.openConnections].find(([, what]) => what === "publish") ?? [""];
      const error = {
        code: "conference.connection-failed",
        message: "",
        retryable: false,
      } as const;
      tab.emitConferenceEvent({ t: "failed", rtcId: pub, error });
      expect(world.slice.signals.slice(1)).toMatchObject([
        { code: "ICEConnectFail", streamId: "sb" },
        { code: "ICEConnectFail", streamId: own(world)?.id },
      ]);
    },
  "signal.live: Changed live configurations (op 452) are passed on, each once": async () => {
    const { world } = await joined();
    for (const liveId of ["l1", "l2"]) {
      world.server.sendFrame({ op: 452, liveCfgs: [{ liveId }] });
    }
    expect(said(world)).toEqual([
      ["LiveCfgs", { liveCfgs: [{ liveId: "l1" }] }],
      ["LiveCfgs", { liveCfgs: [{ liveId: "l2" }] }],
    ]);
    expect(world.slice.cver).toBe(world.server.cver);
  },
  "signal.refused, signal.failed: A refused enter says the server's result; one without an answer says that":
    async () => {
      for (const [result, code] of [
        [-502, "ServerRefuseEnter"],
        [-9527, "EnterFail"],
      ] as const) {
        const world = createConferenceWorld();
        world.openTab("t1");
        world.server.refuse[200] = { result, msg: "refused" };
        const asked = world
          .make()
          .handlers.join({ confrId: "c1", password: "", ...ENTRY }, at("t1"))
          .catch((error: unknown) => error);
        await world.run(400);
        await asked;
        // It outlives the conference, so that every tab reads it.
        expect(world.slice).toMatchObject({
          status: "idle",
          signals: [{ code, result, text: "refused", details: { reason: 4 } }],
        });
      }
    },
});
