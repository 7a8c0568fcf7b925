/** Notices of the wire (namespace 5): JSON of a type, stored in inboxes as messages are, so that no device misses one. */
import { asciiJson } from "./ascii-json.ts";
import { type Actor, type Audience, eventRecord, KIND } from "./event-envelope.ts";
import type { Outgoing } from "./records.ts";
import { NAMESPACE, USER_DOMAIN } from "./wire.ts";

/** @param nextId makes a unique id for each notice */
export const noticeMessage = (
  appKey: string,
  nextId: () => bigint,
  actor: Actor,
  notice: {
    /** The recipient on the wire: a user name, or the id of a group. */
    readonly to: string;
    /** The recipient in the store, when it is not `to`: the key of a group. */
    readonly recipient?: string;
    /** Who receives it besides the other devices of the actor; `ALL_MEMBERS`: the members of the group that is the recipient. */
    readonly audience: Audience;
    readonly value: Readonly<Record<string, unknown>> & { readonly type: string };
  },
): Outgoing =>
  eventRecord({ appKey, nextId }, actor, {
    kind: KIND.notice,
    recipient: notice.recipient ?? notice.to,
    audience: notice.audience,
    ns: NAMESPACE.notify,
    to: { appKey, name: notice.to, domain: USER_DOMAIN },
    payload: Buffer.from(asciiJson(notice.value)),
  });
