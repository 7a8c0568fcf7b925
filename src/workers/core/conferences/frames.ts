/** Passes each frame that the server sends on its own to what it concerns: model, media, people, or the end of the conference. */
import { type NoticeKey, noticeFields } from "../../../shared/domain/notice-texts.ts";
import { type ConferenceRole } from "../../../shared/protocol/confr-model.ts";
import {
  type ConferenceServerSignal,
  readCandidates,
  readDescription,
} from "../../../shared/protocol/confr-signalling.ts";
import { END_REASON, OP } from "../../../shared/protocol/signalling.ts";
import type { Store } from "../contracts.ts";
import type { Annotations } from "./annotations.ts";
import type { Exit } from "./exit.ts";
import type { ConferenceRecord } from "./kept.ts";
import type { Media } from "./media-contracts.ts";
import type { MemberRequests } from "./member-requests.ts";
import type { Model } from "./model.ts";
import type { People } from "./people.ts";
import { ADMIN, AUDIENCE } from "./rules.ts";
import type { Signals } from "./signals.ts";
import type { Versions } from "./versions.ts";

/** What the person hears about a change of the own role. */
function changeOf(role: ConferenceRole, before: ConferenceRole | undefined): NoticeKey | null {
  if (before === undefined) return null;
  if (role === AUDIENCE) return "conference.demoted";
  if (role === ADMIN) return "conference.now-admin";
  return before === AUDIENCE ? "conference.may-talk" : "conference.not-admin";
}

export function createFrameReader(deps: {
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly media: Media;
  readonly people: People;
  readonly annotations: Pick<Annotations, "received">;
  readonly requests: MemberRequests;
  readonly notice: Store["notice"];
  readonly versions: Versions;
  readonly signals: Pick<Signals, "report">;
  /** The server ended this member's session. */
  readonly onEnded: (exit: Exit) => void;
}): (signal: ConferenceServerSignal) => void {
  const { model, record, media, people, requests, versions } = deps;

  type RoleSignal = Extract<
    ConferenceServerSignal,
    { op: typeof OP.role } | { op: typeof OP.memberChanged }
  >;
  /** The own role comes twice, for this member (op 412) and for all (op 310). The second one changes nothing any more. */
  function memberChanged(memId: string, signal: RoleSignal): void {
    const before = model.slice.members[memId]?.role;
    versions.apply(model.apply(signal));
    const { role, muted } = model.slice.members[memId] ?? {};
    if (muted !== undefined) people.mutedChanged(memId, muted);
    if (role === undefined || role === before) return;
    const answered = people.roleChanged(memId, role);
    if (memId === model.slice.self?.memId) {
      ownRoleChanged(role, before, answered);
    }
  }
  /** A role only permits to speak. The person turns microphone and camera on. */
  function ownRoleChanged(
    role: ConferenceRole,
    before: ConferenceRole | undefined,
    asked: boolean,
  ): void {
    if (role === AUDIENCE) {
      media.unpublish(1);
      media.unpublish(0);
    }
    const text = changeOf(role, before);
    if (text === null || (asked && role > (before ?? role))) return;
    deps.notice({ style: role < (before ?? role) ? "warning" : "info", ...noticeFields(text) });
  }

  return (signal) => {
    switch (signal.op) {
      case OP.memberExited: {
        const { memId, reason } = signal;
        if (memId !== model.slice.self?.memId) return versions.apply(model.apply(signal));
        const orderly = reason === END_REASON.hangup || reason === END_REASON.closed;
        return deps.onEnded({ reason, failed: !orderly });
      }
      case OP.closeConference:
        return deps.onEnded({ reason: signal.reason, failed: false });
      case OP.role:
        if (signal.roleToken !== undefined) record.patch({ roleToken: signal.roleToken });
        return memberChanged(model.slice.self?.memId ?? "", signal);
      case OP.memberChanged:
        return memberChanged(signal.mem.id, signal);
      case OP.terminate:
        // The server has removed an own stream.
        if (signal.pubSId !== undefined) return versions.apply(model.apply(signal));
        return media.terminated(signal);
      case OP.answer: {
        const description = readDescription(signal.sdp);
        if (description !== null) media.described(signal.rtcId, description);
        return;
      }
      case OP.candidates:
        return media.candidates(signal.rtcId, readCandidates(signal.cands));
      case OP.controlRequest:
        requests.requested(signal);
        return media.followMutes();
      case OP.response:
        return requests.answered(signal);
      case OP.annotate:
        return deps.annotations.received(signal);
      case OP.message:
        return people.message(signal);
      case OP.liveConfigs:
        deps.signals.report({ code: "LiveCfgs", details: { liveCfgs: signal.liveCfgs } });
        return versions.apply(model.apply(signal));
      default:
        return versions.apply(model.apply(signal));
    }
  };
}
