/** What the gateway itself stores for people, beside their messages: an event of a group, or a notice. */
import type { Outgoing } from "./records.ts";
import { type Meta, MetaCodec, ROUTE, USER_DOMAIN } from "./wire.ts";

/** Kinds of what is stored; kinds of messages are below. */
export const KIND = { groupEvent: 100, notice: 101, rosterEvent: 102 } as const;

/** Stands for all members of a group: what they get is stored once, in the inbox of the group. */
export const ALL_MEMBERS = "all members";
export type Audience = readonly string[] | typeof ALL_MEMBERS;

export interface Actor {
  readonly userName: string;
  /** The device that acts; the person's other devices learn of the act. */
  readonly resource: string;
}

/** Makes a record for the inboxes of the audience and of the actor's other devices. The id distinguishes two events with equal contents. */
export function eventRecord(
  deps: { readonly appKey: string; readonly nextId: () => bigint },
  actor: Actor,
  event: {
    /** One of KIND. */
    readonly kind: number;
    /** How the store names the conversation: a user name, or the key of a group. */
    readonly recipient: string;
    /** Who gets it, beside the actor's own other devices. All members are those of the group that is the recipient. */
    readonly audience: Audience;
    /** The actor's devices get it. */
    readonly carbon?: boolean;
    readonly ns: number;
    readonly to: NonNullable<Meta["to"]>;
    readonly payload: Uint8Array;
  },
): Outgoing {
  const { kind, recipient, audience, carbon = true, ns, to, payload } = event;
  return {
    sender: actor.userName,
    resource: actor.resource,
    recipient,
    ...(audience === ALL_MEMBERS
      ? { audience: [], inGroup: true }
      : { audience: audience.filter((name) => name !== actor.userName) }),
    clientId: String(deps.nextId()),
    digest: String(kind),
    kind,
    roams: false,
    onlineOnly: false,
    carbon,
    reads: null,
    recalls: null,
    build: (id, sentAt) =>
      MetaCodec.encode({
        id: String(id),
        from: { appKey: deps.appKey, name: actor.userName, domain: USER_DOMAIN },
        to,
        timestamp: String(sentAt),
        ns,
        payload,
        routetype: ROUTE.all,
      }),
  };
}
