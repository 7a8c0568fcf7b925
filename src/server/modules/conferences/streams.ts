/** Streams of a conference: who may publish what (docs/conferences.md#publishing), and the limits on it. */
import { createHash } from "node:crypto";
import { CONFERENCE_REFUSALS } from "../../../shared/domain/conference-refusals.ts";
import {
  CONFERENCE_ROLE,
  isMixed,
  STREAM_TYPE,
  type StreamType,
} from "../../../shared/domain/conference-types.ts";
import { type ConferenceStream, type VideoCodec } from "../../../shared/protocol/confr-model.ts";
import { CONFR_END } from "../../../shared/protocol/confr-signalling.ts";
import { END_REASON, RESULT, OP } from "../../../shared/protocol/signalling.ts";
import { forgetMarks } from "./annotations.ts";
import { applyFlags, flagsOf, isSilenced, unmuteOneself } from "./holding.ts";
import { sendToMembers, sendToMember } from "./state.ts";
import type { Flags, Publishing, ConferenceState, Session, StreamState, Verdict } from "./types.ts";

const OK: Verdict = { result: RESULT.ok };
const refuse = (msg: string): Verdict => ({ result: RESULT.notAllowed, msg });

const SILENCED = "主持人已将您静音";

// Not the result of a full conference: clients take that for the end of their membership.
const TOO_MANY_VIDEOS = {
  result: RESULT.notAllowed,
  msg: "会议视频路数已达上限",
  endReason: CONFR_END.tooManyVideos,
} as const;

const REPEATED = {
  [STREAM_TYPE.camera]: CONFERENCE_REFUSALS.repeat,
  [STREAM_TYPE.screen]: CONFERENCE_REFUSALS.repeatDesktop,
  [STREAM_TYPE.mixer]: CONFERENCE_REFUSALS.repeatMixer,
} as const;

export interface PublishWish {
  /** Id of the stream that is published again. */
  readonly id: string | undefined;
  readonly type: StreamType;
  readonly voff: 0 | 1;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
}

/**
 * A member has one stream per type, so the id derives from both. A member that publishes again after a restart of the server
 * gets the same id, and nobody else can take it.
 */
export const streamIdOf = (conference: ConferenceState, memId: string, type: number): string =>
  createHash("sha256")
    .update(`${conference.spec.id}\n${memId}\n${type}`)
    .digest("base64url")
    .slice(0, 22);

/**
 * Whether this may be published now. If so, the place is reserved until the caller frees it (conference.publishing). `endReason`
 * accompanies a refusal for a limit.
 */
export function reserve(
  session: Session,
  wish: PublishWish,
): Publishing | (Verdict & { readonly endReason?: number }) {
  const { conference } = session;
  const { memId, role } = session.member;
  if (role === CONFERENCE_ROLE.audience) return refuse(CONFERENCE_REFUSALS.audience);
  const streamId = streamIdOf(conference, memId, wish.type);
  if (wish.id !== undefined && wish.id !== streamId && conference.streams.has(wish.id)) {
    return { result: RESULT.notFound, msg: "流不存在或不属于当前成员" };
  }
  if (wish.type === STREAM_TYPE.screen && isMixed(conference.spec.type) && wish.hasAudio)
    return refuse(CONFERENCE_REFUSALS.mixedDesktop);
  const pending = [...conference.publishing];
  const before = pending.find((one) => one.streamId === streamId);
  // An unknown id is from an earlier time; the stream gets its regular id.
  const present = conference.streams.get(streamId)?.abandoned === false;
  if (wish.id !== streamId && (present || before !== undefined)) {
    return refuse(REPEATED[wish.type]);
  }
  const others = (type: number): boolean => type === wish.type;
  const { limits } = conference.spec;
  const video = wish.type === STREAM_TYPE.camera && wish.voff === 0 && wish.hasVideo;
  if (video && videos(conference, streamId) >= limits.maxVideoCount) {
    return TOO_MANY_VIDEOS;
  }
  if (wish.type === STREAM_TYPE.screen) {
    const ids = new Set([
      ...[...conference.streams.values()].filter((s) => others(s.info.type)).map((s) => s.info.id),
      ...pending.filter((one) => others(one.type)).map((one) => one.streamId),
    ]);
    ids.delete(streamId);
    if (ids.size >= limits.maxPubDesktopCount) {
      return {
        result: RESULT.notAllowed,
        msg: "会议共享桌面路数已达上限",
        endReason: CONFR_END.tooManyDesktops,
      };
    }
  }
  // The later request replaces the earlier one.
  if (before !== undefined) conference.publishing.delete(before);
  const place: Publishing = { session, streamId, type: wish.type, video };
  conference.publishing.add(place);
  return place;
}

/** Cameras that are on or about to be on. */
function videos(conference: ConferenceState, except: string): number {
  const ids = new Set<string>();
  for (const { info } of conference.streams.values()) {
    if (info.type === STREAM_TYPE.camera && info.hasVideo && info.voff === 0) ids.add(info.id);
  }
  for (const one of conference.publishing) if (one.video) ids.add(one.streamId);
  ids.delete(except);
  return ids.size;
}

/** The media have arrived. The caller announces the stream. */
export function putStream(
  session: Session,
  stream: Omit<ConferenceStream, "sver" | "memId">,
  rtcId: string,
  vcodes: readonly VideoCodec[],
): StreamState {
  const said: Flags = { voff: stream.voff, aoff: stream.aoff };
  const { conference } = session;
  conference.sver += 1;
  const state: StreamState = {
    info: {
      ...stream,
      ...flagsOf(session, stream.type, said),
      memId: session.member.memId,
      sver: conference.sver,
    },
    said,
    owner: session,
    rtcId,
    abandoned: false,
    vcodes,
    switchingUntil: 0,
  };
  conference.streams.set(stream.id, state);
  return state;
}

/** Announces a stream to all but its publisher, which learns it by its answer. */
export function tellStream(conference: ConferenceState, { info, owner }: StreamState): void {
  sendToMembers(conference, { op: OP.streamAdded, memId: info.memId, pubS: info }, owner);
}

/**
 * Announces to all but its publisher that a stream is gone.
 *
 * @param by "ordered" when the publisher did not request it. The publisher then gets the event too
 */
export function removeStream(
  conference: ConferenceState,
  id: string,
  by: "owner" | "ordered" = "owner",
): void {
  const stream = conference.streams.get(id);
  if (stream === undefined) return;
  const { owner, rtcId, info } = stream;
  conference.streams.delete(id);
  forgetMarks(conference, id);
  conference.deps.onStreamGone(stream);
  sendToMembers(conference, { op: OP.streamRemoved, memId: info.memId, pubSId: id }, owner);
  if (by === "owner") return;
  sendToMember(owner, {
    op: OP.terminate,
    sessId: owner.sessId,
    rtcId,
    endReason: END_REASON.closed,
    pubSId: id,
    cver: conference.cver,
  });
}

/**
 * Removes a member's streams, including those being published.
 *
 * @param ordered true when the owner did not request it and must be ordered to close the connections
 */
export function removeStreamsOf(conference: ConferenceState, memId: string, ordered = false): void {
  for (const one of conference.publishing) {
    if (one.session.member.memId === memId) conference.publishing.delete(one);
  }
  for (const { info } of conference.streams.values()) {
    if (info.memId === memId) removeStream(conference, info.id, ordered ? "ordered" : "owner");
  }
}

/** @returns `changed`: whether the flags changed; the caller must then announce it by tellFlags */
export function control(
  session: Session,
  rtcId: string,
  voff: 0 | 1,
  aoff: 0 | 1,
): Verdict & { readonly changed?: StreamState; readonly endReason?: number } {
  const { conference } = session;
  const stream = [...conference.streams.values()].find(
    (one) => one.owner === session && one.rtcId === rtcId,
  );
  if (stream === undefined) {
    return { result: RESULT.notFound, msg: "流不存在或不属于当前成员" };
  }
  const { info, said } = stream;
  unmuteOneself(session, said, { voff, aoff });
  if (said.aoff === 1 && aoff === 0 && isSilenced(session)) return refuse(SILENCED);
  const opens = info.type === STREAM_TYPE.camera && info.hasVideo && info.voff === 1 && voff === 0;
  if (opens && videos(conference, info.id) >= conference.spec.limits.maxVideoCount)
    return TOO_MANY_VIDEOS;
  stream.said = { voff, aoff };
  return applyFlags(conference, stream) ? { ...OK, changed: stream } : OK;
}

/** All these codecs, the preferred ones first. */
export const codecsOf = (
  preferred: readonly VideoCodec[],
  all: readonly VideoCodec[],
): VideoCodec[] => {
  const first = preferred.filter((codec) => all.includes(codec));
  return [...first, ...all.filter((codec) => !first.includes(codec))];
};

/** Codecs that all these sessions support. A session that names none supports all. */
export const commonCodecs = (
  vcodes: readonly VideoCodec[],
  sessions: Iterable<Session>,
): VideoCodec[] => {
  const all = [...sessions];
  return vcodes.filter((codec) =>
    all.every(({ member }) => member.vcodes.length === 0 || member.vcodes.includes(codec)),
  );
};
