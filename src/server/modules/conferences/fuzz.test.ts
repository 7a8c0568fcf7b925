/**
 * Sends 10,000 mutated messages from members of each role and from outsiders, in the states of a conference. Nothing may throw,
 * a refused message must change nothing, and another conference on the same server must not be affected.
 */
import { describe, expect, it } from "vitest";
import { mutate, pick, seededRandom } from "../../../shared/mutate.harness.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { confrClientSchema } from "../../../shared/protocol/confr-signalling.ts";
import {
  ANSWER,
  offerText,
  AV,
  createStage,
  gaps,
  type Member,
  type Stage,
} from "./conference.harness.ts";
import { setAttributes, setRoles } from "./roles.ts";

const op = OP;
const MESSAGES = 10_000;
/** The conference is replaced by a new one after this many messages. */
const ROUND = 50;

const STATES: readonly ((scene: Scene) => Promise<void> | void)[] = [
  () => undefined,
  async ({ me }) => void (await me.publish("mine")),
  async ({ me, theirs }) => {
    const wish = { subSId: theirs, subSVideo: true, subSAudio: true };
    await me.ask({ op: op.offer, rtcId: "sub", sdp: offerText(AV), ...wish });
  },
  ({ stage }) => void setRoles(stage.conference(), ["me"], 1, true),
  ({ stage }) => void setRoles(stage.conference(), ["me"], 7, false),
  ({ stage }) =>
    void setAttributes(stage.conference(), [{ key: "k", val: "v", op: "UPDATE" }], true),
  ({ other }) => other.cut(),
  ({ stage }) => stage.nodes[0]?.emit({ t: "down" }),
  ({ stage }) => void stage.nodes[0]?.stall(),
  async ({ other, me }) => {
    await other.ask({
      op: op.controlRequest,
      tsxId: "asked",
      memId: me.memId,
      arg: JSON.stringify({ op2: 20 }),
    });
  },
];

interface Scene {
  readonly stage: Stage;
  readonly me: Member;
  readonly other: Member;
  /** Stream of the other member. */
  readonly theirs: string;
  readonly far: Member;
}

async function setUp(state: number): Promise<Scene> {
  const stage = createStage();
  const other = await stage.enter("admin");
  const published = await other.publish("theirs");
  const me = await stage.enter("me");
  const far = await stage.enter("far", { confrId: "c2" });
  await far.publish("far-stream");
  const scene = {
    stage,
    me,
    other,
    far,
    theirs: (published["stream"] as { id: string }).id,
  };
  await STATES[state % STATES.length]?.(scene);
  return scene;
}

/** Valid messages, with ids of both conferences in them. */
function frames({ me, other, far, theirs, stage }: Scene, sessId: string): object[] {
  const farStream = [...stage.conference("c2").streams.keys()][0] ?? "";
  const head = { tsxId: "m", sessId };
  const cands = ['{"candidate":"c","mid":"0","mlineindex":0}'];
  const wish = { subSVideo: true, subSAudio: true, layer: "high", restart: false };
  const ticket = {
    confrId: "c1",
    memName: "me",
    tktId: "t",
    url: "/conference",
    type: "CONFR",
    timestamp: 0,
  };
  return [
    {
      op: op.enter,
      tsxId: "m",
      tkt: ticket,
      resource: "r",
      res: { ops: [1003], vcodes: ["VP8"] },
      cver: 1,
    },
    { op: op.ping, ...head },
    {
      op: op.offer,
      ...head,
      rtcId: "mine",
      sdp: offerText(AV),
      pubS: { type: 0, voff: 0, vcodes: ["VP8"] },
    },
    {
      op: op.offer,
      ...head,
      rtcId: "x",
      sdp: offerText(AV),
      pubS: { id: theirs, type: 1, ext: "e" },
    },
    { op: op.subscribe, ...head, rtcId: "sub", subSId: theirs, ...wish },
    { op: op.subscribe, ...head, rtcId: "far-sub", subSId: farStream, ...wish },
    { op: op.offer, ...head, rtcId: "sub", sdp: offerText(AV), subSId: theirs, ...wish },
    { op: op.offer, ...head, rtcId: "far-sub", sdp: offerText(AV), subSId: farStream },
    { op: op.unsubscribe, ...head, rtcId: "sub", subSId: theirs },
    { op: op.answer, ...head, rtcId: "sub", sdp: ANSWER },
    { op: op.candidates, ...head, rtcId: "mine", cands },
    { op: op.terminate, ...head, rtcId: pick(random, ["mine", "theirs", "far-stream"]), reason: 0 },
    { op: op.streamControl, ...head, rtcId: "mine", voff: 1, aoff: 0 },
    { op: op.record, ...head, rtcId: "mine", flag: 1 },
    { op: op.controlRequest, ...head, memId: other.memId, arg: JSON.stringify({ op2: 21, x: {} }) },
    { op: op.controlRequest, ...head, memId: far.memId, arg: JSON.stringify({ op2: 23 }) },
    {
      op: op.response,
      ...head,
      tsxId: "asked",
      memId: other.memId,
      result: 0,
      arg: JSON.stringify({ op2: 20 }),
    },
    { op: op.message, ...head, id: "1", arg: "x", memId: pick(random, [other.memId, far.memId]) },
    { op: op.message, ...head, id: "1", arg: "x" },
    { op: op.copy, ...head },
    { op: op.leave, ...head },
    { op: op.closeConference, ...head, sessId: pick(random, [sessId, me.sessId, far.sessId]) },
  ];
}

const random = seededRandom(20_261_121);

/** The message as parsed, when it is still valid. */
function read(text: string): { op: number; sessId?: unknown; ticket?: unknown } | null {
  try {
    const parsed = confrClientSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

describe(`${MESSAGES} mutated messages`, () => {
  it.each(["member", "outsider"])(
    "from a %s",
    async (who) => {
      let sent = 0;
      let good = 0;
      let refused = 0;
      for (let round = 0; sent < MESSAGES / 2; round += 1) {
        const scene = await setUp(round);
        const { stage, me, far, other } = scene;
        // An outsider knows the session ids of both conferences but is in neither.
        const sender = who === "member" ? me : stage.connect("out");
        const known = [me.sessId, far.sessId, other.sessId];
        far.news();
        const farState = stage.state("c2");
        for (let i = 0; i < ROUND; i += 1) {
          sent += 1;
          const sessId = who === "member" ? me.sessId : pick(random, known);
          const text = mutate(random, pick(random, frames(scene, sessId)));
          const frame = read(text);
          const before = stage.state();
          const othersBefore = other.frames.length;
          const had = sender.frames.length;
          sender.peer.receive(text);
          // Answers that wait for the node come later.
          for (let tick = 0; tick < 10; tick += 1) await Promise.resolve();
          const answers = sender.frames.slice(had);
          // A message that is still valid may change what its sender may change. An outsider may enter by its ticket and is then
          // inside.
          if (frame !== null && (who === "member" || frame.op === op.enter || sender.peer.inside)) {
            good += 1;
          } else {
            refused += 1;
            expect(answers, text.slice(0, 300)).toMatchObject([{ op: op.response, result: -9527 }]);
            expect(stage.state(), text.slice(0, 300)).toBe(before);
            expect(other.frames.length).toBe(othersBefore);
          }
          for (const answer of answers) {
            const { result } = answer as { result?: number };
            if (answers.length === 1 && result !== undefined && result !== 0) {
              expect(stage.state(), text.slice(0, 300)).toBe(before);
            }
          }
          if (stage.conferences.get("c1") === undefined || stage.conference().ended) break;
        }
        expect(far.news()).toEqual([]);
        expect(stage.state("c2")).toBe(farState);
        expect(stage.errors).toEqual([]);
        for (const member of [me, other, far]) expect(gaps(member)).toEqual([]);
      }
      // The test proves nothing if every message is refused, or none.
      expect(refused).toBeGreaterThan(MESSAGES / 4);
      expect(good).toBeGreaterThan(50);
    },
    120_000,
  );
});
