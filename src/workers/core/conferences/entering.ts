/**
 * The ways into a conference (docs/conferences.md#getting-in): create it, or join by id, by its name or by ticket. One entry at a time, and
 * none during a call.
 */
import { AppError } from "../../../shared/errors.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { SessionUser } from "../contracts.ts";
import type { Cloud } from "./cloud.ts";
import type { KeptConference } from "./kept.ts";
import type { Media } from "./media-contracts.ts";
import type { Model } from "./model.ts";
import type { ConferenceAdmission, ConferenceRest } from "./rest.ts";
import type { Conference } from "./conference.ts";
import { AUDIENCE, invalid, joinedTwice, mustBeConference, TEXTS } from "./rules.ts";

type All = Handlers<"conference">;
export type EnteringCommands = Pick<
  All,
  "create" | "join" | "joinRoom" | "joinWithTicket" | "select"
>;

export interface Entering {
  readonly handlers: EnteringCommands;
  /** Whether a conference is being entered. */
  readonly busy: boolean;
}

export interface EnteringDeps {
  readonly ready: Promise<void>;
  readonly rest: ConferenceRest;
  readonly model: Model;
  readonly conference: Conference;
  readonly media: Media;
  readonly cloud: Pick<Cloud, "admit">;
  /** @throws AppError auth.required */
  readonly me: () => { readonly user: SessionUser; readonly memName: string };
  /** Whether a call is in progress. */
  readonly calling: () => boolean;
}

type Entry = Pick<
  Parameters<All["join"]>[0],
  | "nickName"
  | "ext"
  | "publish"
  | "audioMuted"
  | "videoOff"
  | "autoSub"
  | "cameraControl"
  | "codecs"
>;
type About = Pick<KeptConference, "name" | "type" | "isCreator" | "password">;

export function createEntering(deps: EnteringDeps): Entering {
  const { rest, model, conference, media } = deps;
  let busy = false;

  /** Runs one entry at a time. `busy` also covers the time in which the slice does not show the conference yet. */
  async function alone<T>(enter: () => Promise<T>): Promise<T> {
    await deps.ready;
    if (deps.calling()) throw new AppError("conference.current-calling");
    const { status, info } = model.slice;
    if (busy || status !== "idle") throw joinedTwice(info?.confrId ?? "...");
    busy = true;
    try {
      return await enter();
    } finally {
      busy = false;
    }
  }
  async function begin(
    entry: Entry,
    admission: Omit<ConferenceAdmission, "rtcCfg"> & {
      readonly rtcCfg: ConferenceAdmission["rtcCfg"] | null;
    },
    about: About,
    tabId: string,
  ): Promise<{ confrId: string }> {
    const { user, memName } = deps.me();
    const { confrId, ticket, rtcCfg, roleToken, mixes } = admission;
    const asked = deps.cloud.admit(memName, confrId);
    const cloud = asked === null ? null : await asked;
    // A call may have started while the server was asked.
    if (deps.calling()) throw new AppError("conference.current-calling");
    const inside = conference.join({
      version: 1,
      accountId: user.accountId,
      me: memName,
      nickName: entry.nickName === "" ? user.name : entry.nickName,
      ext: entry.ext,
      confrId,
      ...about,
      ticket,
      rtcCfg: rtcCfg ?? { iceServers: [] },
      sessId: null,
      roleToken,
      ...(mixes === undefined ? {} : { mixes }),
      autoSub: entry.autoSub,
      publishing: entry.publish,
      cameraControl: entry.cameraControl === true,
      ...(entry.codecs === undefined ? {} : { codecs: entry.codecs }),
      pubExt: "",
      audioMuted: entry.audioMuted,
      // A person who only watches turns each device on later.
      audioOff: !entry.publish,
      videoOff: entry.videoOff || !entry.publish,
      streams: {},
      chosen: {},
      connections: {},
      recording: null,
      startedAt: null,
      ownerEpoch: media.ownerEpoch,
      ...(cloud === null ? {} : { cloud }),
    });
    // Open the devices while the socket opens. A person who only listens needs an owner tab too.
    if (rtcCfg !== null) media.acquire(tabId);
    await inside;
    // With a foreign ticket the ICE servers arrive with the answer to the enter.
    if (rtcCfg === null) media.acquire(tabId);
    return { confrId };
  }
  async function byId(
    confrId: string,
    given: Entry & { readonly password: string; readonly role?: 1 | 3 | 7 | undefined },
    tabId: string,
    name?: string,
  ): Promise<{ confrId: string }> {
    const { memName: uid } = deps.me();
    const { password, role } = given;
    const found = await rest.select(uid, confrId, password);
    mustBeConference(found.type, false);
    const admission = await rest.ticket({
      uid,
      confrType: found.type,
      confrId,
      password,
      ...(role === undefined ? {} : { role }),
    });
    const about = { name: name ?? found.name, type: found.type, isCreator: false, password };
    const publish = given.publish && role !== AUDIENCE;
    return begin({ ...given, publish }, admission, about, tabId);
  }

  const handlers: EnteringCommands = {
    create: ({ type, name, password, limits, liveCfg, ...entry }, { tabId }) =>
      alone(async () => {
        mustBeConference(type, liveCfg !== undefined);
        const given = Object.entries(limits).filter(([, value]) => value !== undefined);
        const admission = await rest.ticket({
          uid: deps.me().memName,
          confrType: type,
          name,
          password,
          ...Object.fromEntries(given),
          ...(liveCfg === undefined ? {} : { liveCfg }),
        });
        return begin(entry, admission, { name, type, isCreator: true, password }, tabId);
      }),
    join: ({ confrId, ...given }, { tabId }) => alone(() => byId(confrId, given, tabId)),
    joinRoom: ({ roomName, limits, ...given }, { tabId }) =>
      alone(async () => {
        const { password } = given;
        const { memName } = deps.me();
        const confrId = await rest.joinRoom({ roomName, password, memName, limits });
        return byId(confrId, given, tabId, roomName);
      }),
    joinWithTicket: ({ confrId: meant, ticket, ...entry }, { tabId }) =>
      alone(async () => {
        if (ticket.type !== "CONFR") throw invalid(TEXTS.type, "不支持的会议类型");
        if (ticket.memName !== deps.me().memName) {
          throw invalid("bad ticket", "票据不属于当前用户");
        }
        const { confrId } = ticket;
        if (meant !== undefined && meant !== confrId) {
          throw invalid("bad ticket", "会议号与票据不一致");
        }
        const admission = { confrId, ticket, rtcCfg: null, roleToken: null };
        const about = { name: confrId, type: 10 as const, isCreator: false, password: "" };
        return begin(entry, admission, about, tabId);
      }),
    async select({ confrId, password }) {
      await deps.ready;
      return rest.select(deps.me().memName, confrId, password);
    },
  };
  return {
    handlers,
    get busy() {
      return busy;
    },
  };
}
