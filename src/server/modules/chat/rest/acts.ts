/** What the gateway's acts share that people ask for by REST. */
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { ALL_MEMBERS, type Actor, type Audience } from "../wire/event-envelope.ts";
import type { GroupReads } from "../groups/index.ts";
import { noticeMessage } from "../wire/notify.ts";
import { ProviderError } from "./provider-app.ts";
import { groupIdOf, type Outgoing } from "../wire/records.ts";

export interface ActDeps {
  readonly db: NodePgDatabase;
  readonly appKey: string;
  readonly nextId: () => bigint;
  readonly now: () => number;
  readonly mayTalk: (a: string, b: string) => Promise<boolean>;
  /** Whether `by` blocks the other. */
  readonly blocks: (by: string, other: string) => Promise<boolean>;
  readonly groups: Pick<GroupReads, "standing">;
  readonly write: (outgoing: Outgoing) => Promise<unknown>;
}

/** A conversation as the wire names it. */
export const placeOf = (peer: string) => ({
  id: peer.replace(/^#/, ""),
  type: peer.startsWith("#") ? "groupchat" : "chat",
});

/** Tells the actor's other devices, and the audience, what was done with a conversation. */
export async function tellConversation(
  deps: Pick<ActDeps, "appKey" | "nextId" | "write" | "now">,
  who: Actor,
  peer: string,
  op: string,
  more: { readonly ext?: string; readonly audience?: Audience } = {},
): Promise<void> {
  const { audience = [], ext } = more;
  const { id, type } = placeOf(peer);
  await deps.write(
    noticeMessage(deps.appKey, deps.nextId, who, {
      to: who.userName,
      ...(audience === ALL_MEMBERS ? { recipient: peer } : {}),
      audience,
      value: {
        type: "conv",
        data: {
          op,
          id,
          type,
          ts: deps.now(),
          from: who.userName,
          res: who.resource,
          ...(ext === undefined ? {} : { ext }),
        },
      },
    }),
  );
}

/**
 * For acts of which the other side learns: who is blocked by a person reaches that person by none of them.
 *
 * @param peer as the store names it
 * @throws ProviderError for a person whom the other side blocks
 */
export async function refuseBlocked(
  deps: Pick<ActDeps, "blocks">,
  userName: string,
  peer: string,
): Promise<void> {
  if (!peer.startsWith("#") && (await deps.blocks(peer, userName))) {
    throw new ProviderError(403, "forbidden_op", "permission denied");
  }
}

/**
 * The people of a conversation, the asking person included, and since when that person sees it (ms since the epoch).
 *
 * @throws ProviderError for a person who takes no part in it
 */
export async function takePart(
  deps: Pick<ActDeps, "groups" | "mayTalk">,
  userName: string,
  peer: string,
): Promise<{ readonly people: Audience; readonly since: number }> {
  if (!peer.startsWith("#")) {
    if (peer === userName || (await deps.mayTalk(userName, peer))) {
      return { people: [userName, peer], since: 0 };
    }
    throw new ProviderError(403, "forbidden_op", "permission denied");
  }
  const me = (await deps.groups.standing(groupIdOf(peer), userName))?.me;
  if (me === undefined) {
    throw new ProviderError(403, "forbidden_op", "users are not members of this group!");
  }
  return { people: ALL_MEMBERS, since: me.joinedAt };
}
