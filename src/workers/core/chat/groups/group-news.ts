/** The notices about events in groups (docs/chat.md#group-events). */
import { type NoticeKey, noticeFields } from "../../../../shared/domain/notice-texts.ts";
import type { Notice } from "../../../../shared/protocol/state.ts";
import type { GroupNews } from "../provider/port.ts";

/** By the SDK's name of the event. */
const NEWS: Readonly<Record<string, { readonly key: NoticeKey; readonly style: Notice["style"] }>> =
  {
    directJoined: { key: "group.direct-joined", style: "success" },
    inviteToJoin: { key: "group.invited", style: "info" },
    rejectInvite: { key: "group.invite-rejected", style: "warning" },
    requestToJoin: { key: "group.applied", style: "info" },
    acceptRequest: { key: "group.accepted", style: "success" },
    joinPublicGroupDeclined: { key: "group.declined", style: "warning" },
    destroy: { key: "group.dissolved", style: "error" },
    removeMember: { key: "group.removed", style: "warning" },
  };

/** @returns null for news that need no words: the page shows them */
export function groupNotice(
  news: GroupNews,
  names: { readonly group: string; readonly person: string },
): Pick<Notice, "style" | "text" | "key" | "args"> | null {
  const found = Object.hasOwn(NEWS, news.operation) ? NEWS[news.operation] : undefined;
  if (found === undefined) return null;
  return { style: found.style, ...noticeFields(found.key, names) };
}
