/** Group events (docs/chat.md#group-events): stored once, entered into the inbox of the group or of each receiver, as messages are. */
import { type Actor, type Audience, eventRecord, KIND } from "../wire/event-envelope.ts";
import {
  GROUP_DOMAIN,
  MUC,
  type MucBody,
  MucBodyCodec,
  NAMESPACE,
  USER_DOMAIN,
} from "../wire/wire.ts";
import type { Group } from "./facts.ts";
import { groupKey, type Outgoing } from "../wire/records.ts";

export { ALL_MEMBERS, type Actor } from "../wire/event-envelope.ts";

export interface GroupEvent {
  /** One of MUC. */
  readonly operation: number;
  /** Chat user names of the receivers. */
  readonly audience: Audience;
  /** Whom the event names as its author. Left out: the actor. */
  readonly from?: string;
  /** Whom the event is about. */
  readonly about?: string;
  readonly reason?: string;
  readonly memberCount?: number;
  /** Sent as JSON. */
  readonly ext?: Readonly<Record<string, unknown>>;
}

/** @param nextId makes the id of the event in the store */
export function eventMessage(
  appKey: string,
  nextId: () => bigint,
  actor: Actor,
  group: { readonly id: string; readonly name: string },
  event: GroupEvent,
): Outgoing {
  const user = (name: string) => ({ appKey, name, domain: USER_DOMAIN });
  const muc = { appKey, name: group.id, domain: GROUP_DOMAIN };
  const ext = event.ext === undefined ? undefined : JSON.stringify(event.ext);
  const body: MucBody = {
    mucId: muc,
    operation: event.operation,
    from: user(event.from ?? actor.userName),
    ...(event.about === undefined ? {} : { to: [user(event.about)] }),
    ...(event.reason === undefined ? {} : { reason: event.reason }),
    isChatroom: false,
    mucName: group.name,
    ...(event.memberCount === undefined ? {} : { mucMemberCount: event.memberCount }),
    ...(ext === undefined ? {} : { ext, eventInfo: { eventType: 0, ext } }),
  };
  return eventRecord({ appKey, nextId }, actor, {
    kind: KIND.groupEvent,
    recipient: groupKey(group.id),
    audience: event.audience,
    ns: NAMESPACE.muc,
    to: muc,
    payload: MucBodyCodec.encode(body),
  });
}

/** Tells how the group is now. Cores read their lists again then, so it also says that something about the group is out of date. */
export const updated = (group: Group, audience: Audience, now: number): GroupEvent => ({
  operation: MUC.update,
  audience,
  ext: {
    name: group.name,
    description: group.description,
    public: group.public,
    members_only: group.approval,
    allow_user_invites: group.allowInvites,
    invite_need_confirm: group.inviteConfirm,
    custom: group.custom,
    last_modified: now,
  },
});
