/** Delivers stored messages to the devices of those who get them, which pull them or are sent them at once. */
import type { CallCommand } from "../call-commands.ts";
import type { GroupDelivery } from "./group-delivery.ts";
import type { Hub } from "./hub.ts";
import type { MessageCache } from "./message-cache.ts";
import type { RecentInbox } from "./recent-inbox.ts";
import { audienceOf, type Written } from "../wire/records.ts";

/** @param deps.node names this process in notices */
export function createDelivery(deps: {
  readonly node: string;
  readonly hub: Pick<Hub, "send" | "sendAll" | "isHere">;
  readonly inbox: Pick<RecentInbox, "add" | "forget">;
  readonly recent: Pick<MessageCache, "remember">;
  readonly groupDelivery: Pick<GroupDelivery, "deliver">;
  /** A message of a call was delivered. */
  readonly passed: (command: CallCommand, meta: Uint8Array) => void;
}): (written: readonly Written[]) => void {
  const { node, hub, inbox, recent, groupDelivery } = deps;

  function deliver(written: readonly Written[]): void {
    recent.remember(written);
    keepRecent(written);
    groupDelivery.deliver(written);
    // One notice per user and batch: the client then pulls everything.
    const notices = new Map<string, string | null>();
    for (const { outgoing, duplicate, meta } of written) {
      if (duplicate || outgoing.inGroup === true) continue;
      if (outgoing.call != null) deps.passed(outgoing.call, meta);
      const audience = audienceOf(outgoing);
      const carbon = outgoing.carbon && !audience.includes(outgoing.sender);
      if (outgoing.onlineOnly) {
        const pushed = { t: "push" as const, meta: Buffer.from(meta).toString("base64") };
        hub.sendAll(audience, { ...pushed, except: null });
        if (carbon) hub.send(outgoing.sender, { ...pushed, except: outgoing.resource });
        continue;
      }
      for (const userName of audience) notices.set(userName, null);
      if (!carbon) continue;
      const known = notices.get(outgoing.sender);
      const again = known === undefined || known === outgoing.resource;
      notices.set(outgoing.sender, again ? outgoing.resource : null);
    }
    const all = [...notices].filter(([, except]) => except === null).map(([name]) => name);
    hub.sendAll(all, { t: "notice", except: null, node });
    for (const [userName, except] of notices) {
      if (except !== null) hub.send(userName, { t: "notice", except, node });
    }
  }

  function keepRecent(written: readonly Written[]): void {
    for (const { outgoing, meta, places } of written) {
      // These change what stands in the inboxes.
      const changes = outgoing.recalls !== null || outgoing.edit != null;
      // The inbox of a group is added to when it is delivered.
      if (outgoing.inGroup === true) continue;
      for (const place of places) {
        if (changes) inbox.forget(place.owner);
        else if (hub.isHere(place.owner)) inbox.add(place, meta);
      }
    }
  }

  return deliver;
}
