/** Shared by the tests of conferences: members whose frames are kept in arrays, in conferences without socket and database. */
import { createManualClock, type ManualClock } from "../../host.harness.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { type ConferenceRole, type VideoCodec } from "../../../shared/protocol/confr-model.ts";
import {
  CONFR_LIMITS,
  type ConferenceServerSignal,
  confrServerSchema,
  writeDescription,
} from "../../../shared/protocol/confr-signalling.ts";
import { createEngine, type Engine } from "./engine.ts";
import { createFrameHandler, type FrameHandler } from "../../base/signalling/frame-handler.ts";
import { createFakeNode, type FakeNode } from "./node.fake.ts";
import { createConferenceProtocol } from "./ops.ts";
import { snapshot } from "./state.ts";
import type { SignRole } from "./role-tokens.ts";
import type { ConferenceLimits, ConferenceSpec, Kept, ConferenceState } from "./types.ts";

export const AV = "v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n";
export const AUDIO = "v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n";
export const VIDEO = "v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n";

/** A description as the wire has it. */
export const offerText = (sdp: string): string => writeDescription({ type: "OFFER", sdp });
export const ANSWER = writeDescription({ type: "ANSWER", sdp: "v=0" });

/** Runs all promises that do not wait for anything external. */
export const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

export interface Member {
  readonly name: string;
  readonly frames: ConferenceServerSignal[];
  readonly closed: number | null;
  /** The session of its last successful enter. */
  readonly sessId: string;
  readonly memId: string;
  readonly peer: FrameHandler;
  /** @returns the frames received in response, including its own answer */
  send(frame: object): Promise<ConferenceServerSignal[]>;
  /**
   * Like send, with tsxId and sessId added.
   *
   * @returns the answer
   */
  ask(frame: { op: number } & Record<string, unknown>): Promise<Record<string, unknown>>;
  /**
   * Publishes a stream.
   *
   * @returns the answer
   */
  publish(rtcId: string, sdp?: string, pubS?: object): Promise<Record<string, unknown>>;
  /** Simulates the loss of the socket. */
  cut(): void;
  /** The events since the last call. */
  news(): ConferenceServerSignal[];
}

export interface Stage extends Engine {
  readonly clock: ManualClock;
  readonly nodes: readonly FakeNode[];
  readonly ended: { confrId: string; reason: number }[];
  readonly kept: Map<string, Kept>;
  readonly errors: unknown[];
  conference(confrId?: string): ConferenceState;
  state(confrId?: string): string;
  /** Opens a connection without entering. */
  connect(name: string): Member;
  enter(
    name: string,
    options?: {
      confrId?: string;
      resource?: string;
      sessId?: string;
      role?: ConferenceRole;
      vcodes?: string[];
      acptOps?: number[];
      creator?: string;
    },
  ): Promise<Member & { readonly answer: Record<string, unknown> }>;
}

export interface StageOptions {
  readonly type?: number;
  readonly limits?: Partial<ConferenceLimits>;
  readonly nodes?: readonly FakeNode[];
  readonly kept?: Kept;
  readonly groupCall?: boolean;
  readonly vcodes?: readonly VideoCodec[];
}

/** A test setup in which any id is a conference of `admin`. */
export function createStage(options: StageOptions = {}): Stage {
  const clock = createManualClock();
  const nodes = options.nodes ?? [createFakeNode()];
  const ended: { confrId: string; reason: number }[] = [];
  const kept = new Map<string, Kept>();
  const errors: unknown[] = [];
  const roleToken: SignRole = ({ confrId, memName, role }) => `${confrId}/${memName}/${role}`;
  let serial = 0;
  const engine = createEngine({
    clock,
    nodes,
    newId: () => `id-${(serial += 1)}`,
    roleToken,
    onKept: (confrId, state) => kept.set(confrId, state),
    onEnded: (confrId, reason) => ended.push({ confrId, reason }),
    onError: (error) => errors.push(error),
  });
  const { conferences, media } = engine;
  const specOf = (id: string): ConferenceSpec => ({
    id,
    type: options.type ?? 10,
    creator: "admin",
    companyId: null,
    limits: { ...CONFR_LIMITS, ...options.limits },
    vcodes: options.vcodes ?? [],
    groupCall: options.groupCall === true,
  });

  function connect(name: string): Member {
    const frames: ConferenceServerSignal[] = [];
    let returned = 0;
    let closed: number | null = null;
    const socket = {
      get open() {
        return closed === null;
      },
      send(frame: ConferenceServerSignal) {
        if (closed !== null) return false;
        // As on the wire, and valid by the contract.
        frames.push(confrServerSchema.parse(JSON.parse(JSON.stringify(frame))));
        return true;
      },
      close(code: number) {
        if (closed !== null) return;
        closed = code;
        peer.gone();
      },
    };
    const peer = createFrameHandler(
      socket,
      { address: "192.0.2.1", identify: () => true },
      createConferenceProtocol({
        conferences,
        media,
        clock,
        roleToken,
        rtcCfg: (memName) => ({ iceServers: [{ urls: "turn:t:3478", username: memName }] }),
        admit: (ticket) =>
          Promise.resolve({
            result: 0,
            spec: specOf(ticket.confrId),
            memName: ticket.memName,
            kept: options.kept ?? { roles: {}, cattrs: [], muteAll: false, muted: [] },
            role: /^role-([137])$/.test(ticket.tktId)
              ? (Number(ticket.tktId.slice(5)) as ConferenceRole)
              : undefined,
            loginSession: `session-${ticket.memName}`,
          }),
      }),
      {
        onBad: () => undefined,
        onInside: () => undefined,
        onError: (error) => errors.push(error),
      },
    );
    const last = (): Record<string, unknown> | undefined =>
      frames.findLast((f) => f.op === OP.response && f.tsxId === "enter" && f.result === 0);
    const member: Member = {
      name,
      frames,
      peer,
      get closed() {
        return closed;
      },
      get sessId() {
        return String(last()?.["sessId"] ?? "none");
      },
      get memId() {
        return String(last()?.["memId"] ?? "none");
      },
      async send(frame) {
        const before = frames.length;
        peer.receive(JSON.stringify(frame));
        await settle();
        return frames.slice(before);
      },
      async ask(frame) {
        const tsxId = `t${(serial += 1)}`;
        const got = await member.send({ tsxId, sessId: member.sessId, ...frame });
        const answer = got.find((f) => "tsxId" in f && f.tsxId === (frame["tsxId"] ?? tsxId));
        return (answer ?? {}) as Record<string, unknown>;
      },
      publish: (rtcId, sdp = AV, pubS = { type: 0 }) =>
        member.ask({ op: OP.offer, rtcId, sdp: offerText(sdp), pubS }),
      cut: () => socket.close(1006),
      news() {
        const some = frames.slice(returned);
        returned = frames.length;
        return some;
      },
    };
    return member;
  }

  return {
    ...engine,
    clock,
    nodes,
    ended,
    kept,
    errors,
    connect,
    conference(confrId = "c1") {
      const conference = conferences.get(confrId);
      if (conference === undefined) throw new Error(`there is no conference ${confrId}`);
      return conference;
    },
    state(confrId = "c1") {
      const conference = conferences.get(confrId);
      if (conference === undefined) return "none";
      const publishing = [...conference.publishing].map((p) => p.streamId);
      const connected = [...conference.sessions.values()].map((s) => s.socket !== null);
      return JSON.stringify([
        snapshot(conference),
        [...conference.roles],
        publishing,
        connected,
        conference.ended,
      ]);
    },
    async enter(name, given = {}) {
      const {
        confrId = "c1",
        resource = "",
        sessId,
        role,
        vcodes = [],
        acptOps = [1002, 1003],
      } = given;
      const member = connect(name);
      const answer = (await member.ask({
        op: OP.enter,
        tsxId: "enter",
        tkt: {
          confrId,
          memName: name,
          tktId: role === undefined ? "t" : `role-${role}`,
          url: "/conference",
          type: "CONFR",
          timestamp: 0,
        },
        resource,
        res: { ops: acptOps, vcodes },
        sessId,
      })) as Record<string, unknown>;
      member.news();
      return Object.defineProperties(
        { answer } as Member & { answer: Record<string, unknown> },
        Object.getOwnPropertyDescriptors(member),
      );
    },
  };
}

/** The `op` of each frame. */
export const ops = (frames: readonly ConferenceServerSignal[]): number[] =>
  frames.map(({ op }) => op);

/**
 * Versions received after the last enter that do not follow the previous one. The member would have to request a copy for these
 * gaps.
 */
export function gaps(member: Pick<Member, "frames" | "memId">): number[] {
  const wrong: number[] = [];
  let version = -1;
  for (const frame of member.frames) {
    if (!("cver" in frame) || frame.cver === undefined) continue;
    // It ends the membership, whose streams went before without a word to their publisher.
    if (frame.op === OP.memberExited && frame.memId === member.memId) continue;
    const entered = frame.op === OP.response && frame.resumed !== undefined;
    // The answer about an own stream stands for the event that the others get.
    const own =
      frame.op === OP.response && (frame.stream !== undefined || frame.pubSId !== undefined);
    if (entered || (own && frame.cver === version + 1)) version = frame.cver;
    else if (frame.op === OP.pong || frame.op === OP.response) {
      if (frame.cver !== version) wrong.push(frame.cver);
    } else if (frame.cver === version + 1) version = frame.cver;
    else wrong.push(frame.cver);
  }
  return wrong;
}
