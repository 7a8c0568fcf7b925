/** Streams of a conference: who may publish what (docs/conferences.md#publishing), and the limits on it. */
import { createHash } from "node:crypto";
import {
  CONFR_END,
  CONFR_OP,
  CONFR_RESULT,
  type ConfrStream,
  type VideoCodec,
} from "../../../shared/protocol/confr-signalling.ts";
import { END_REASON, RESULT } from "../../../shared/protocol/signalling.ts";
import { applyFlags, flagsOf, isSilenced } from "./holding.ts";
import { tell, tellOne } from "./state.ts";
import type { Flags, Publishing, ConferenceState, Session, StreamState, Verdict } from "./types.ts";

const OK: Verdict = { result: RESULT.ok };
const refuse = (msg: string): Verdict => ({ result: RESULT.notAllowed, msg });

/** Texts of refusals (docs/conferences.md#publishing), and of what an admin has taken. */
export const REFUSALS = {
  audience: "Audience not allow publish",
  repeated: "Audio and video stream has been published. not allow repeat publish.",
  repeatedDesktop: "Desktop stream has been published. not allow repeat publish.",
  repeatedMixer: "AudioMixerStreamRepeatPublish",
  mixedDesktopAudio: "confr mix. not allow desktop with audio.",
  silenced: "主持人已将您静音",
} as const;

const TOO_MANY_VIDEOS = {
  result: CONFR_RESULT.full,
  msg: "会议视频路数已达上限",
  endReason: CONFR_END.tooManyVideos,
} as const;

const REPEATED = {
  0: REFUSALS.repeated,
  1: REFUSALS.repeatedDesktop,
  2: REFUSALS.repeatedMixer,
} as const;

export interface PublishWish {
  /** Id of the stream that is published again. */
  readonly id: string | undefined;
  readonly type: 0 | 1 | 2;
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
  if (role === 1) return refuse(REFUSALS.audience);
  const streamId = streamIdOf(conference, memId, wish.type);
  if (wish.id !== undefined && wish.id !== streamId && conference.streams.has(wish.id)) {
    return { result: RESULT.notFound, msg: "流不存在或不属于当前成员" };
  }
  const mixed = conference.spec.type === 11 || conference.spec.type === 12;
  if (wish.type === 1 && mixed && wish.hasAudio) return refuse(REFUSALS.mixedDesktopAudio);
  const pending = [...conference.publishing];
  const before = pending.find((one) => one.streamId === streamId);
  // An unknown id is from an earlier time; the stream gets its regular id.
  if (wish.id !== streamId && (conference.streams.has(streamId) || before !== undefined)) {
    return refuse(REPEATED[wish.type]);
  }
  const others = (type: number): boolean => type === wish.type;
  const { limits } = conference.spec;
  const video = wish.type === 0 && wish.voff === 0 && wish.hasVideo;
  if (video && videos(conference, streamId) >= limits.maxVideoCount) {
    return TOO_MANY_VIDEOS;
  }
  if (wish.type === 1) {
    const ids = new Set([
      ...[...conference.streams.values()].filter((s) => others(s.info.type)).map((s) => s.info.id),
      ...pending.filter((one) => others(one.type)).map((one) => one.streamId),
    ]);
    ids.delete(streamId);
    if (ids.size >= limits.maxPubDesktopCount) {
      return {
        result: CONFR_RESULT.full,
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
    if (info.type === 0 && info.hasVideo && info.voff === 0) ids.add(info.id);
  }
  for (const one of conference.publishing) if (one.video) ids.add(one.streamId);
  ids.delete(except);
  return ids.size;
}

/** The media have arrived: announce the stream to all, its publisher included. */
export function putStream(
  session: Session,
  stream: Omit<ConfrStream, "sver" | "memId">,
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
    vcodes,
    switchingUntil: 0,
  };
  conference.streams.set(stream.id, state);
  return state;
}

export function tellStream(conference: ConferenceState, { info }: StreamState): void {
  tell(conference, { op: CONFR_OP.streamAdded, stream: info });
}

export function removeStream(conference: ConferenceState, id: string): void {
  const stream = conference.streams.get(id);
  if (stream === undefined) return;
  conference.streams.delete(id);
  conference.deps.onStreamGone(stream);
  tell(conference, { op: CONFR_OP.streamRemoved, streamId: id, memId: stream.info.memId });
}

/**
 * Removes a member's streams, including those being published.
 *
 * @param ordered true when the owner did not request it and must be told to close the connections
 */
export function removeStreamsOf(conference: ConferenceState, memId: string, ordered = false): void {
  for (const one of conference.publishing) {
    if (one.session.member.memId === memId) conference.publishing.delete(one);
  }
  for (const { info, owner } of conference.streams.values()) {
    if (info.memId !== memId) continue;
    const { rtcId } = info;
    removeStream(conference, info.id);
    if (!ordered) continue;
    tellOne(owner, {
      op: CONFR_OP.terminate,
      sessId: owner.sessId,
      rtcId,
      endReason: END_REASON.closed,
    });
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
    ({ info, owner }) => owner === session && info.rtcId === rtcId,
  );
  if (stream === undefined) {
    return { result: RESULT.notFound, msg: "流不存在或不属于当前成员" };
  }
  const { info, said } = stream;
  if (said.aoff === 1 && aoff === 0 && isSilenced(session)) return refuse(REFUSALS.silenced);
  const opens = info.type === 0 && info.hasVideo && info.voff === 1 && voff === 0;
  if (opens && videos(conference, info.id) >= conference.spec.limits.maxVideoCount)
    return TOO_MANY_VIDEOS;
  stream.said = { voff, aoff };
  return applyFlags(conference, stream) ? { ...OK, changed: stream } : OK;
}

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
