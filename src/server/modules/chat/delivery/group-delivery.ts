/**
 * Delivers what entered the inboxes of groups to the members who are connected (docs/chat.md#gateway): one message between the server
 * processes for all that one transaction wrote, however many members there are. Each process notifies the members who are connected to it.
 */
import { z } from "zod";
import type { Logger } from "pino";
import type { Bus } from "../../../base/module.ts";
import type { Roster } from "../groups/facts.ts";
import type { Hub } from "./hub.ts";
import type { RecentInbox } from "./recent-inbox.ts";
import { groupIdOf, type InboxPlace, type Written } from "../wire/records.ts";

const number = z.string().regex(/^\d{1,19}$/);
const entrySchema = z.object({
  /** The key of the group. */
  group: z.string().startsWith("#"),
  /** The version of the group's members. */
  roster: z.number().int(),
  key: number,
  id: number,
  sender: z.string(),
  except: z.string().nullable(),
  /** null: the store has to say, because the message changed others or is too large for the bus. */
  meta: z.base64().nullable(),
});
const newsSchema = z.object({
  /** The process that wrote it. */
  node: z.string(),
  entries: z.array(entrySchema),
});
const TOPIC = "chat:groups";

/** Bytes of messages that cross the bus at once. Above it the other processes ask the store. */
const MAX_BYTES = 256 * 1024;
/** Names of members that are remembered, of all groups together. */
const MAX_NAMES = 500_000;

const NOBODY: ReadonlySet<string> = new Set();

export interface GroupDelivery {
  /** Delivers those of the messages that entered the inbox of a group. */
  deliver(written: readonly Written[]): void;
  /** Who is a member has changed without a change of the group. */
  forgetMembers(): void;
  /** Resolves when everything is delivered. */
  close(): Promise<void>;
}

interface News {
  readonly place: InboxPlace;
  readonly roster: number;
  readonly meta: Uint8Array | null;
}

/**
 * @param deps.node names this process on the bus
 * @param deps.roster reads the members of a group; null for one that is gone
 */
export function createGroupDelivery(deps: {
  readonly bus: Bus;
  readonly log: Logger;
  readonly node: string;
  readonly hub: Pick<Hub, "notifyHere">;
  readonly inbox: RecentInbox;
  readonly roster: (groupId: string) => Promise<Roster | null>;
}): GroupDelivery {
  const { bus, inbox, log, node } = deps;
  const rosters = new Map<string, Roster>();
  let tail: Promise<void> = Promise.resolve();

  /** @returns the members, no older than the entry; null for a group that is gone */
  async function rosterOf(group: string, version: number): Promise<Roster | null> {
    const known = rosters.get(group);
    if (known !== undefined && known.version >= version) return known;
    // The membership changed. Cached entries may include ones that were written while a returning member was away.
    inbox.forget(group);
    rosters.delete(group);
    const found = await deps.roster(groupIdOf(group));
    if (found === null) return null;
    let names = found.names.size;
    for (const roster of rosters.values()) names += roster.names.size;
    if (names > MAX_NAMES) rosters.clear();
    rosters.set(group, found);
    return found;
  }

  async function pass(group: string, news: readonly News[]): Promise<void> {
    const [first] = news;
    const last = news.at(-1);
    if (first === undefined || last === undefined) return;
    const found = await rosterOf(group, Math.max(...news.map((each) => each.roster)));
    const members = found?.names ?? NOBODY;
    for (const { place, roster, meta } of news) {
      // Who has come since an entry was written has no right to it, and a cached entry is for all members. The store knows since when.
      const isForAll = found !== null && roster >= found.version;
      if (meta !== null) {
        if (isForAll) inbox.add(place, meta);
        else inbox.forget(group);
        continue;
      }
      inbox.forget(group);
      // A message to some members alone is in their own inboxes.
      for (const name of members) inbox.forget(name);
    }
    const { sender, exceptResource } = first.place;
    const isOfOne = news.every(
      ({ place }) => place.sender === sender && place.exceptResource === exceptResource,
    );
    const except =
      isOfOne && exceptResource !== null ? { userName: sender, resource: exceptResource } : null;
    deps.hub.notifyHere(members, { owner: group, upTo: last.place.key }, except);
  }

  /** One after the other, so that each inbox is added to in its order. */
  function enqueue(news: readonly News[]): void {
    const byGroup = new Map<string, News[]>();
    for (const each of news) {
      const { owner } = each.place;
      byGroup.set(owner, [...(byGroup.get(owner) ?? []), each]);
    }
    for (const [group, some] of byGroup) {
      tail = tail
        .then(() => pass(group, some))
        .catch((error: unknown) => {
          inbox.forget(group);
          log.error({ err: error }, "messages of a group not delivered");
        });
    }
  }

  const end = bus.subscribe(TOPIC, (message) => {
    const parsed = newsSchema.safeParse(message);
    if (!parsed.success) {
      log.warn({ topic: TOPIC }, "unreadable message on the bus");
      return;
    }
    if (parsed.data.node === node) return;
    enqueue(
      parsed.data.entries.map(({ group, roster, key, id, sender, except, meta }) => ({
        place: { owner: group, key: BigInt(key), id: BigInt(id), sender, exceptResource: except },
        roster,
        meta: meta === null ? null : Buffer.from(meta, "base64"),
      })),
    );
  });

  return {
    deliver(written) {
      const news = written.flatMap(({ outgoing, places, roster, meta }): News[] => {
        const [place] = places;
        if (roster === undefined || place === undefined) return [];
        // These change what stands in the inbox.
        const changes = outgoing.recalls !== null || outgoing.edit != null;
        return [{ place, roster, meta: changes ? null : meta }];
      });
      if (news.length === 0) return;
      enqueue(news);
      const bytes = news.reduce((sum, each) => sum + (each.meta?.length ?? 0), 0);
      const entries = news.map(({ place, roster, meta }): z.infer<typeof entrySchema> => ({
        group: place.owner,
        roster,
        key: String(place.key),
        id: String(place.id),
        sender: place.sender,
        except: place.exceptResource,
        meta: meta === null || bytes > MAX_BYTES ? null : Buffer.from(meta).toString("base64"),
      }));
      bus.publish(TOPIC, { node, entries }).catch((error: unknown) => {
        log.error({ err: error }, "messages of a group not published");
      });
    },
    forgetMembers: () => rosters.clear(),
    async close() {
      end();
      await tail;
    },
  };
}
