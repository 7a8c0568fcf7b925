/** From two views of a conference to the events between them. */
import type { Answer, ConferenceEvents, ConfrAttr, Member, Stream } from "./contracts.ts";
import type { Emitter } from "./emitter.ts";
import type { View } from "./view.ts";

/** ms after which a request that ended without the role was refused: the role comes in a message of its own. */
export const REPLY_MS = 1_000;
const ADMIN = 7;
const ROLE_ASKED = { talker: 3, admin: ADMIN } as const;

const UPDATED = ["voff", "aoff", "sver", "hasVideo", "hasAudio", "vcodec", "ext"] as const;
const isUpdated = (before: Stream, now: Stream): boolean =>
  UPDATED.some((field) => before[field] !== now[field]) ||
  before.resolution?.w !== now.resolution?.w ||
  before.resolution?.h !== now.resolution?.h;

const adminsOf = (view: View): Member[] =>
  [...view.members.values()].filter(({ role }) => role === ADMIN);

/** Whether one has left between the two. */
export const isNewExit = (before: View, now: View): boolean =>
  now.lastExit !== null &&
  (now.lastExit.at !== before.lastExit?.at || now.lastExit.confrId !== before.lastExit.confrId);

export interface Changes {
  tell(before: View, now: View): void;
  close(): void;
}

export function createChanges(
  emitter: Pick<Emitter<ConferenceEvents>, "emit">,
  deps: {
    readonly after: (ms: number, run: () => void) => { cancel(): void };
    readonly role: () => number | null;
    readonly answer: (id: string, agree: boolean) => Promise<void>;
  },
): Changes {
  const { emit } = emitter;
  let reply: { cancel(): void } | null = null;
  let pending: "talker" | "admin" | null = null;

  const replied = (kind: "talker" | "admin", result: 0 | 1): void => {
    reply?.cancel();
    reply = null;
    pending = null;
    if (kind === "talker") emit("onRequestToTalkerReply", result);
    else emit("onRequestToAdminReply", result);
  };
  const settle = (): void => {
    if (pending !== null && (deps.role() ?? 0) >= ROLE_ASKED[pending]) replied(pending, 0);
  };

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
    // at the entrance nothing has changed
    if (before.self !== null && key(adminsOf(before)) !== key(admins)) {
      emit("onAdminChanged", admins);
    }
  }
  function streams(before: View, now: View): void {
    for (const [id, stream] of before.streams) {
      if (!now.streams.has(id)) emit("onStreamRemoved", stream.owner, stream);
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
      if (now.self?.role !== ADMIN) emit(now.muteAll ? "onMuteAll" : "onUnMuteAll");
    }
    if (before.mutedByAdmin !== now.mutedByAdmin) {
      emit(now.mutedByAdmin ? "onMuted" : "onUnmuted");
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
  function asked(before: View, now: View): void {
    if (before.asked !== null && now.asked !== before.asked) {
      const kind = before.asked;
      reply?.cancel();
      pending = kind;
      reply = deps.after(REPLY_MS, () => replied(kind, 1));
    }
    settle();
  }

  return {
    tell(before, now) {
      const inside = now.self !== null;
      // who has left gets one event, not the emptying of the room piece by piece
      if (inside || before.confrId === null) {
        members(before, now);
        attributes(before, now);
        mute(before, now);
        requests(before, now);
      }
      streams(before, now);
      if (inside && before.self !== null && before.self.role !== now.self?.role) {
        emit("onRoleChanged", now.self?.role ?? before.self.role);
      }
      asked(before, now);
      for (const message of now.messages) {
        if (!before.messages.some(({ id }) => id === message.id)) emit("onTextMessage", message);
      }
      const { lastExit } = now;
      if (lastExit !== null && isNewExit(before, now)) {
        reply?.cancel();
        pending = null;
        emit("onConferenceExit", lastExit.reason, lastExit.failed);
      }
    },
    close() {
      reply?.cancel();
      pending = null;
    },
  };
}
