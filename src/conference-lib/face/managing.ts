/** Roles, mute, requests, attributes and texts. The server checks every permission again. */
import { CONFERENCE_ROLE } from "../../shared/domain/conference-types.ts";
import type { ConferenceRole } from "../../shared/protocol/confr-model.ts";
import {
  type Face,
  hasAdmin,
  memIdsOf,
  requireAdmin,
  requireConference,
  requireJoined,
} from "./context.ts";
import type { Member } from "./contracts.ts";
import { refusal, requireAll } from "./refuse.ts";

/** A member, its id, or its chat user name. */
export type MemberRef = string | Pick<Member, "id">;

export interface ManagingApi {
  /** Sets the role of members (admin): 7 admin, 3 talker, 1 audience. */
  grantRole(confrId: string, members: readonly MemberRef[], role: ConferenceRole): Promise<void>;
  /** Lowers the role of members. Rejects for an empty list and for a role that is not lower. */
  degradeRole(confrId: string, members: readonly MemberRef[], role: ConferenceRole): Promise<void>;
  /** Removes members by chat user name (admin). They get onConferenceExit with reason 12. */
  kickMember(confrId: string, memNames: readonly string[]): Promise<void>;
  /** Removes members by member id (admin). */
  kickMembersById(confrId: string, memIds: readonly string[]): Promise<void>;
  /** Mutes all members except admins (admin). */
  muteAll(confrId: string): Promise<void>;
  /** Ends `muteAll` (admin). */
  unmuteAll(confrId: string): Promise<void>;
  /** Mutes one member (admin). */
  muteBymemberId(confrId: string, memberId: string): Promise<void>;
  /** Ends `muteBymemberId` (admin). */
  unmuteBymemberId(confrId: string, memberId: string): Promise<void>;
  /** Asks the admins for the role talker. onRequestToTalkerReply has the answer. Without an admin it only logs a warning. */
  requestToTalker(confrId: string): Promise<void>;
  /** Asks the admins for the role admin. onRequestToAdminReply has the answer. Without an admin it only logs a warning. */
  requestToAdmin(confrId: string): Promise<void>;
  /** Sets an attribute for all. Rejects with 'options.key is not have' or 'please set_confr_attrs after joined'. */
  setConferenceAttrs(options: { readonly key: string; readonly val: string }): Promise<void>;
  /** Removes an attribute. Rejects like `setConferenceAttrs`. */
  deleteConferenceAttrs(options: { readonly key: string }): Promise<void>;
  /** Adds a live stream to a mixed conference (admin). This server has no mixer and refuses it. onLiveCfgs has what became of it. */
  addLive(confrId: string, liveCfg: Readonly<Record<string, unknown>>): Promise<void>;
  /** Changes where the pictures of a live stream are (admin). */
  updateLiveLayout(confrId: string, liveId: string, regions: readonly unknown[]): Promise<void>;
  /** Ends a live stream (admin). Without an id, or for anybody but an admin, it only logs a warning. */
  deleteLive(confrId: string, liveId: string): Promise<void>;
  /** Sends a text to all, or to one member. */
  sendTextMessage(text: string, to?: MemberRef): Promise<void>;
}

export function createManaging(face: Face): ManagingApi {
  const { core, warn } = face.deps;
  const { commands } = core;

  const muteOne = async (
    method: string,
    confrId: string,
    memberId: string,
    on: boolean,
  ): Promise<void> => {
    if (!memberId) throw refusal("required", { field: "memberId", method });
    const [memId = ""] = memIdsOf(requireAdmin(face, method, confrId), method, [memberId]);
    await commands.muteMember({ memId, on });
  };
  const request = async (
    method: string,
    confrId: string,
    kind: "talker" | "admin",
  ): Promise<void> => {
    const view = requireConference(face, method, confrId);
    if (!hasAdmin(view)) return warn(`${method}: there is no admin in the conference`);
    await commands.request({ kind });
  };
  const kick = async (
    method: string,
    confrId: string,
    members: readonly MemberRef[],
  ): Promise<void> => {
    const view = requireAdmin(face, method, confrId);
    await commands.kick({ memIds: memIdsOf(view, method, members) });
  };
  const requireKey = (options: { readonly key: string } | undefined): string => {
    if (options === undefined || options === null) throw refusal("noOptions");
    if (!options.key) throw refusal("noKey");
    const { status } = face.view();
    if (status !== "joined" && status !== "reconnecting") throw refusal("attrsBeforeJoin");
    return options.key;
  };

  return {
    async grantRole(confrId, members, role) {
      const view = requireAdmin(face, "grantRole", confrId);
      await commands.grantRole({ memIds: memIdsOf(view, "grantRole", members), role });
    },
    async degradeRole(confrId, members, role) {
      const view = requireConference(face, "degradeRole", confrId);
      const memIds = memIdsOf(view, "degradeRole", members);
      if (memIds.some((id) => role >= (view.members.get(id)?.role ?? 0))) throw refusal("badRole");
      await commands.degradeRole({ memIds, role });
    },
    kickMember: (confrId, memNames) => kick("kickMember", confrId, memNames),
    kickMembersById: (confrId, memIds) => kick("kickMembersById", confrId, memIds),
    async muteAll(confrId) {
      requireAdmin(face, "muteAll", confrId);
      await commands.muteAll({ on: true });
    },
    async unmuteAll(confrId) {
      requireAdmin(face, "unmuteAll", confrId);
      await commands.muteAll({ on: false });
    },
    muteBymemberId: (confrId, memberId) => muteOne("muteBymemberId", confrId, memberId, true),
    unmuteBymemberId: (confrId, memberId) => muteOne("unmuteBymemberId", confrId, memberId, false),
    requestToTalker: (confrId) => request("requestToTalker", confrId, "talker"),
    requestToAdmin: (confrId) => request("requestToAdmin", confrId, "admin"),
    async setConferenceAttrs(options) {
      await commands.setAttrs({ key: requireKey(options), val: options.val });
    },
    async deleteConferenceAttrs(options) {
      await commands.deleteAttrs({ key: requireKey(options) });
    },
    async addLive(confrId, liveCfg) {
      requireAdmin(face, "addLive", confrId);
      requireAll("addLive", { liveCfg });
      await commands.addLive({ liveCfg });
    },
    async updateLiveLayout(confrId, liveId, regions) {
      requireAdmin(face, "updateLiveLayout", confrId);
      requireAll("updateLiveLayout", { liveId, regions });
      await commands.updateLive({ liveId, regions: [...regions] });
    },
    async deleteLive(confrId, liveId) {
      const view = requireConference(face, "deleteLive", confrId);
      if (view.self?.role !== CONFERENCE_ROLE.admin)
        return warn("deleteLive: the role of admin is required");
      if (!liveId) return warn("deleteLive: the liveId is required");
      await commands.deleteLive({ liveId });
    },
    async sendTextMessage(text, to) {
      const view = requireJoined(face);
      const [memId] = to === undefined ? [] : memIdsOf(view, "sendTextMessage", [to]);
      await commands.sendMessage({ text, ...(memId === undefined ? {} : { to: memId }) });
    },
  };
}
