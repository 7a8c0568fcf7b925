/** Compares two views of a conference and emits the events for the differences. */
import type { Answer, ConferenceEvents, ConfrAttr, Member, Stream } from "./contracts.ts";
import { CONFERENCE_ROLE } from "../../shared/domain/conference-types.ts";
import type { Emitter } from "./emitter.ts";
import type { View } from "./view.ts";

const UPDATED = [
  "voff",
  "aoff",
  "sver",
  "hasVideo",
  "hasAudio",
  "ext",
  "torch",
  "freezeFrame",
  "zoom",
] as const;
const isUpdated = (before: Stream, now: Stream): boolean =>
  UPDATED.some((field) => before[field] !== now[field]) ||
  before.vcodes[0] !== now.vcodes[0] ||
  before.resolution?.w !== now.resolution?.w ||
  before.resolution?.h !== now.resolution?.h;

const adminsOf = (view: View): Member[] =>
  [...view.members.values()].filter(({ role }) => role === CONFERENCE_ROLE.admin);

/** Whether the person left a conference between the two views. */
export const isNewExit = (before: View, now: View): boolean =>
  now.lastExit !== null &&
  (now.lastExit.at !== before.lastExit?.at || now.lastExit.confrId !== before.lastExit.confrId);

export interface Changes {
  emitChanges(before: View, now: View): void;
}

export function createChanges(
  emitter: Pick<Emitter<ConferenceEvents>, "emit">,
  deps: {
    readonly answer: (id: string, agree: boolean) => Promise<void>;
  },
): Changes {
  const { emit } = emitter;
  function members(before: View, now: View): void {
    const others = (view: View): Member[] =>
      [...view.members.values()].filter(({ id }) => id !== view.self?.id);
    for (const member of others(before)) {
      if (!now.members.has(member.id)) emit("onMemberExited", member);
    }
    for (const member of others(now)) {
      if (!before.members.has(member.id)) emit("onMemberJoined", member);
    }
    const admins = adminsOf(now);
    const key = (all: readonly Member[]): string =>
      all
        .map(({ id }) => id)
        .sort()
        .join();
    // Entering a conference does not change its admins.
    if (before.self !== null && key(adminsOf(before)) !== key(admins)) {
      emit("onAdminChanged", admins);
    }
  }
  function streams(before: View, now: View): void {
    // After leaving, the own member is out too.
    const left = (memId: string): boolean => now.self === null || !now.members.has(memId);
    for (const [id, stream] of before.streams) {
      if (now.streams.has(id)) continue;
      const reason = left(stream.memId) ? "UserHangup" : "Unpub";
      emit("onStreamRemoved", stream.owner, stream, reason);
    }
    for (const [id, stream] of now.streams) {
      const was = before.streams.get(id);
      if (was === undefined) {
        emit("onStreamAdded", stream.owner, stream);
        continue;
      }
      if (isUpdated(was, stream)) emit("onStreamUpdated", stream.owner, stream, was);
      if (was.quality !== stream.quality) emit("onNetworkQuality", id, stream.quality);
      if (was.talking !== stream.talking) emit("onTalking", id, stream.talking);
    }
  }
  function attributes(before: View, now: View): void {
    const cattrs: ConfrAttr[] = [];
    for (const key of before.attrs.keys()) {
      if (!now.attrs.has(key)) cattrs.push({ key, val: "", op: "DEL" });
    }
    for (const [key, val] of now.attrs) {
      if (before.attrs.get(key) !== val) cattrs.push({ key, val, op: "UPDATE" });
    }
    if (cattrs.length > 0) emit("onConfrAttrsUpdated", cattrs);
  }
  function mute(before: View, now: View): void {
    if (before.muteAll !== now.muteAll) {
      emit("onConfrStateUpdated", { muteAll: now.muteAll });
      if (now.self?.role !== CONFERENCE_ROLE.admin) emit(now.muteAll ? "onMuteAll" : "onUnMuteAll");
    }
    if (before.mutedByAdmin !== now.mutedByAdmin) {
      emit(now.mutedByAdmin ? "onMuted" : "onUnmuted");
    }
  }
  function camera(before: View, now: View): void {
    const { cameraControlled: control } = now;
    if (control === null || control.id === before.cameraControlled?.id) return;
    emit("onCameraControlled", now.members.get(control.memId) ?? null, control.kind);
  }
  function recordings(before: View, now: View): void {
    for (const [id, member] of now.members) {
      const was = before.members.get(id)?.recordingSince ?? null;
      if ((was === null) !== (member.recordingSince === null)) {
        emit("onRecording", member, was === null);
      }
    }
  }
  function requests(before: View, now: View): void {
    for (const [id, request] of now.requests) {
      if (before.requests.has(id)) continue;
      const memName = now.members.get(request.memId)?.memName ?? "";
      const applicant = { memId: request.memId, nickName: request.nickName, memName };
      const agree: Answer = () => deps.answer(id, true);
      const refuse: Answer = () => deps.answer(id, false);
      const name = request.kind === "talker" ? "onRequestToTalker" : "onRequestToAdmin";
      emit(name, applicant, agree, refuse);
    }
  }
  function reply(before: View, now: View): void {
    if (now.reply === null || now.reply.id === before.reply?.id) return;
    const { kind, result } = now.reply;
    if (result === "late" || result === "lost") emit("onRequestUnanswered", kind);
    else {
      const name = kind === "talker" ? "onRequestToTalkerReply" : "onRequestToAdminReply";
      emit(name, result === "agreed" ? 0 : 1);
    }
  }

  return {
    emitChanges(before, now) {
      const inside = now.self !== null;
      // After leaving, emit the exit only, not an event for each member that disappears from the view.
      if (inside || before.confrId === null) {
        members(before, now);
        attributes(before, now);
        mute(before, now);
        requests(before, now);
        camera(before, now);
      }
      if (inside) recordings(before, now);
      streams(before, now);
      if (inside && before.self !== null && before.self.role !== now.self?.role) {
        emit("onRoleChanged", now.self?.role ?? before.self.role);
      }
      reply(before, now);
      for (const message of now.messages) {
        if (!before.messages.some(({ id }) => id === message.id)) emit("onTextMessage", message);
      }
      const { lastExit } = now;
      if (lastExit !== null && isNewExit(before, now)) {
        emit("onConferenceExit", lastExit.reason, lastExit.failed);
      }
    },
  };
}
