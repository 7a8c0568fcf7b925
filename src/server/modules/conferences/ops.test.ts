/** Tests each client operation in each role and state: its answer, and that a refused one changes nothing. */
import { describe, expect, it } from "vitest";
import { OP } from "../../../shared/protocol/signalling.ts";
import { type ConferenceRole } from "../../../shared/protocol/confr-model.ts";
import { confrClientSchema } from "../../../shared/protocol/confr-signalling.ts";
import {
  ANSWER,
  offerText,
  AV,
  createStage,
  type Member,
  type Stage,
} from "./conference.harness.ts";
import { setAttributes, setRoles } from "./roles.ts";

const op = OP;
type Frame = { op: number } & Record<string, unknown>;
interface Scene {
  readonly stage: Stage;
  /** The member whose operations are tested. */
  readonly me: Member;
  readonly other: Member;
  /** Stream of the other member. */
  readonly stream: string;
}

const STATES: Readonly<Record<string, (scene: Scene) => void>> = {
  plain: () => undefined,
  "all muted": ({ stage }) => void setAttributes(stage.conference(), [], true),
  "the other one cut off": ({ other }) => other.cut(),
  "no media node": ({ stage }) => stage.nodes[0]?.emit({ t: "down" }),
};

/** 0 when the operation succeeds; "none" when another member answers. */
type Expected = number | "none";
interface Row {
  readonly frame: (scene: Scene) => Frame;
  /** Results for admin, talker, audience. */
  readonly results: readonly [Expected, Expected, Expected];
  /** Results that differ in certain states. */
  readonly but?: Readonly<Record<string, readonly [Expected, Expected, Expected]>>;
  /** Whether the operation changes the conference when it succeeds. */
  readonly changes: boolean;
}

const all = (result: Expected) => [result, result, result] as const;
const AWAY = "the other one cut off";
const DOWN = "no media node";

const ROWS: Readonly<Record<string, Row>> = {
  ping: { frame: () => ({ op: op.ping }), results: all(0), changes: false },
  publish: {
    frame: () => ({ op: op.offer, rtcId: "p", sdp: offerText(AV), pubS: { type: 0 } }),
    results: [0, 0, -405],
    but: { [DOWN]: [-503, -503, -405] },
    changes: true,
  },
  "publish a screen": {
    frame: () => ({ op: op.offer, rtcId: "d", sdp: offerText(AV), pubS: { type: 1 } }),
    results: [0, 0, -405],
    but: { [DOWN]: [-503, -503, -405] },
    changes: true,
  },
  "publish over another's stream": {
    frame: ({ stream }) => ({
      op: op.offer,
      rtcId: "p",
      sdp: offerText(AV),
      pubS: { type: 0, id: stream },
    }),
    results: [-507, -507, -405],
    changes: false,
  },
  subscribe: {
    frame: ({ stream }) => ({
      op: op.offer,
      rtcId: "s",
      sdp: offerText(AV),
      subSId: stream,
    }),
    results: all(0),
    but: { [DOWN]: all(-503) },
    changes: false,
  },
  "subscribe to nothing": {
    frame: () => ({
      op: op.offer,
      rtcId: "s",
      sdp: offerText(AV),
      subSId: "none",
    }),
    results: all(-507),
    changes: false,
  },
  "change no subscription": {
    frame: ({ stream }) => ({
      op: op.subscribe,
      rtcId: "s",
      subSId: stream,
      subSVideo: true,
      subSAudio: true,
    }),
    results: all(-507),
    changes: false,
  },
  unsubscribe: {
    frame: ({ stream }) => ({ op: op.unsubscribe, rtcId: "s", subSId: stream }),
    results: all(-507),
    changes: false,
  },
  answer: {
    frame: () => ({ op: op.answer, rtcId: "s", sdp: ANSWER }),
    results: all(-507),
    changes: false,
  },
  candidates: {
    frame: () => ({ op: op.candidates, rtcId: "o", cands: [] }),
    results: all(-507),
    changes: false,
  },
  "terminate another's connection": {
    frame: () => ({ op: op.terminate, rtcId: "o", reason: 0 }),
    results: all(-507),
    changes: false,
  },
  "control another's stream": {
    frame: () => ({ op: op.streamControl, rtcId: "o", voff: 1, aoff: 1 }),
    results: all(-507),
    changes: false,
  },
  record: {
    frame: () => ({ op: op.record, rtcId: "o", flag: 1 }),
    // The audience does not learn whether there is such a connection.
    results: [-507, -507, -405],
    changes: false,
  },
  "mute another": {
    frame: () => ({ op: op.controlRequest, memId: "other", arg: JSON.stringify({ op2: 23 }) }),
    results: ["none", -405, -405],
    changes: true,
  },
  "ask to talk": {
    frame: () => ({ op: op.controlRequest, memId: "admin", arg: JSON.stringify({ op2: 21 }) }),
    results: [-405, "none", "none"],
    changes: false,
  },
  "answer what was not asked": {
    frame: () => ({ op: op.response, memId: "other", result: 0, arg: JSON.stringify({ op2: 21 }) }),
    results: all(-405),
    changes: false,
  },
  "a text to all": {
    frame: () => ({ op: op.message, id: "m", arg: "x" }),
    results: all(0),
    changes: false,
  },
  "a text to one": {
    frame: () => ({ op: op.message, id: "m", arg: "x", memId: "other" }),
    results: all(0),
    but: { [AWAY]: all(-507) },
    changes: false,
  },
  "raise the hand": { frame: () => ({ op: op.hand, up: true }), results: all(0), changes: true },
  "raise another's hand": {
    frame: () => ({ op: op.hand, up: true, memIds: ["other"] }),
    results: all(-405),
    changes: false,
  },
  "lower a hand that is down": {
    frame: () => ({ op: op.hand, up: false, memIds: ["other"] }),
    results: [0, -405, -405],
    changes: false,
  },
  "draw over a stream": {
    frame: ({ stream }) => ({
      op: op.annotate,
      streamId: stream,
      changes: [
        { t: "add", id: "m", tool: "line", colour: "#ff3b30", size: 60, points: [0, 0, 9, 9] },
      ],
    }),
    results: [0, 0, -405],
    changes: false,
  },
  "clear what others drew": {
    frame: ({ stream }) => ({ op: op.annotate, streamId: stream, changes: [{ t: "clear" }] }),
    results: [0, -405, -405],
    changes: false,
  },
  "draw over nothing": {
    frame: () => ({ op: op.annotate, streamId: "none", changes: [{ t: "erase", ids: ["m"] }] }),
    results: [-507, -507, -405],
    changes: false,
  },
  copy: { frame: () => ({ op: op.copy }), results: all(0), changes: false },
  leave: { frame: () => ({ op: op.leave }), results: all(0), changes: true },
  disband: {
    frame: () => ({ op: op.closeConference }),
    results: [0, -405, -405],
    changes: true,
  },
  "enter again": {
    frame: () => ({
      op: op.enter,
      ticket: { confrId: "c1", memName: "me", tktId: "t", url: "/", type: "CONFR", timestamp: 0 },
    }),
    results: all(-9527),
    changes: false,
  },
};

async function setUp(role: ConferenceRole): Promise<Scene> {
  const stage = createStage();
  const admin = await stage.enter("admin");
  const other = await stage.enter("other");
  const published = await other.publish("o");
  let me: Member = admin;
  if (role !== 7) {
    me = await stage.enter("me");
    if (role === 1) setRoles(stage.conference(), ["me"], 1, true);
  }
  const stream = (published["stream"] as { id: string }).id;
  return { stage, me, other, stream };
}

it("The table covers every client operation", () => {
  const tried = new Set(Object.values(ROWS).map((row) => row.frame({ stream: "s" } as Scene).op));
  expect([...tried].toSorted()).toEqual(
    confrClientSchema.options.map((o) => o.shape.op.value as number).toSorted(),
  );
});

describe.each(Object.keys(STATES))("%s", (state) => {
  it.each(Object.entries(ROWS))("%s", async (_, row) => {
    for (const [i, role] of ([7, 3, 1] as const).entries()) {
      const scene = await setUp(role);
      STATES[state]?.(scene);
      const { stage, me, other } = scene;
      const expected = (row.but?.[state] ?? row.results)[i] ?? "none";
      const before = stage.state();
      me.news();
      other.news();
      const answer = await me.ask(row.frame(scene));
      const what = `role ${role}: ${JSON.stringify(answer)}`;
      if (expected === "none") expect(answer, what).toEqual({});
      else expect(answer["result"] ?? 0, what).toBe(expected);
      const changed = (expected === 0 || expected === "none") && row.changes;
      expect(stage.state() !== before, what).toBe(changed);
      if (expected !== 0 && expected !== "none") expect(other.news(), what).toEqual([]);
    }
  });
});

it("A member of an ended conference can do nothing", async () => {
  for (const row of Object.values(ROWS)) {
    const scene = await setUp(7);
    await scene.me.ask({ op: op.closeConference });
    const before = scene.stage.state();
    scene.other.news();
    const frame = row.frame(scene);
    const answer = await scene.me.ask(frame);
    expect(answer["result"]).toBe(-9527);
    expect(scene.stage.state()).toBe(before);
    expect(scene.other.news()).toEqual([]);
  }
});
