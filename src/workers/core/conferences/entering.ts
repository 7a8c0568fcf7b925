/**
 * The ways into a conference (docs/conferences.md#getting-in): create it, or join by id, by its name or by ticket. One entry at a time, and
 * none during a call.
 */
import { CONFERENCE_ROLE, CONFERENCE_TYPE } from "../../../shared/domain/conference-types.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CommandOutput, Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { SessionUser } from "../contracts.ts";
import type { Cloud } from "./cloud.ts";
import type { ConferenceRecord, KeptConference } from "./kept.ts";
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
  readonly record: Pick<ConferenceRecord, "now">;
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
type Entered = CommandOutput<"conference", "join">;
type Wishes = Pick<Parameters<All["join"]>[0], "rec" | "recMerge" | "useVCodes">;
type About = Pick<KeptConference, "name" | "type" | "isCreator" | "password">;

const wishesOf = ({ rec, recMerge, useVCodes }: Wishes): Wishes => ({
  ...(rec === undefined ? {} : { rec }),
  ...(recMerge === undefined ? {} : { recMerge }),
  ...(useVCodes === undefined ? {} : { useVCodes }),
});

export function createEntering(deps: EnteringDeps): Entering {
  const { rest, model, record, conference, media } = deps;
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
    admission: Omit<ConferenceAdmission, "rtcCfg" | "type"> & {
      readonly rtcCfg: ConferenceAdmission["rtcCfg"] | null;
    },
    about: About,
    tabId: string,
  ): Promise<Entered> {
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
    const { type, isCreator } = about;
    const { memId: joinId = memName, role = CONFERENCE_ROLE.talker } = model.slice.self ?? {};
    return { confrId, type, isCreator, joinId, role };
  }
  async function byId(
    confrId: string,
    given: Entry &
      Wishes & {
        readonly password: string;
        readonly role?: 1 | 3 | 7 | undefined;
        readonly roleToken?: string | undefined;
      },
    tabId: string,
    known: { readonly name?: string; readonly isCreator: boolean } = { isCreator: false },
  ): Promise<Entered> {
    const { memName: uid } = deps.me();
    const { password, role, roleToken } = given;
    const found = await rest.select(uid, confrId, { password, roleToken });
    if (found.type !== undefined) mustBeConference(found.type, false);
    const admission = await rest.ticket({
      uid,
      ...(found.type === undefined ? {} : { confrType: found.type }),
      confrId,
      password,
      ...(role === undefined ? {} : { role }),
      ...(roleToken === undefined ? {} : { roleToken }),
      ...wishesOf(given),
    });
    const type = found.type ?? admission.type ?? CONFERENCE_TYPE.communication;
    mustBeConference(type, false);
    const name = known.name ?? found.name ?? confrId;
    const about = { name, type, isCreator: known.isCreator, password };
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
          ...wishesOf(entry),
          ...(liveCfg === undefined ? {} : { liveCfg }),
        });
        return begin(entry, admission, { name, type, isCreator: true, password }, tabId);
      }),
    join: ({ confrId, ...given }, { tabId }) => alone(() => byId(confrId, given, tabId)),
    joinRoom: ({ roomName, limits, ...given }, { tabId }) =>
      alone(async () => {
        const { password } = given;
        const { memName } = deps.me();
        const config = { ...limits, ...wishesOf(given) };
        const made = await rest.joinRoom({ roomName, password, memName, config });
        const known = { name: roomName, isCreator: made.isCreator };
        return byId(made.confrId, given, tabId, known);
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
        const about = {
          name: confrId,
          type: CONFERENCE_TYPE.communication,
          isCreator: false,
          password: "",
        };
        return begin(entry, admission, about, tabId);
      }),
    async select({ confrId, password, roleToken }) {
      await deps.ready;
      const own = record.now?.confrId === confrId ? record.now.roleToken : null;
      const proof = { password, roleToken: roleToken ?? own };
      return rest.select(deps.me().memName, confrId, proof);
    },
  };
  return {
    handlers,
    get busy() {
      return busy;
    },
  };
}
