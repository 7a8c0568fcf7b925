/** Caches immutable facts about recent messages, because every receipt of every device needs them. */
import type { StoredMessage, Written } from "../wire/records.ts";

const MAX_ENTRIES = 10_000;

export type MessageFacts = Pick<
  StoredMessage,
  "id" | "sender" | "recipient" | "sentAt" | "directed"
>;

export interface MessageCache {
  remember(written: readonly Written[]): void;
  get(id: bigint): Promise<MessageFacts | undefined>;
}

/** @param load loads facts that are not in the cache */
export function createMessageCache(
  load: (id: bigint) => Promise<MessageFacts | undefined>,
): MessageCache {
  const known = new Map<bigint, MessageFacts>();
  const keep = (facts: MessageFacts): void => {
    known.set(facts.id, facts);
    if (known.size <= MAX_ENTRIES) return;
    const oldest = known.keys().next();
    if (oldest.done !== true) known.delete(oldest.value);
  };
  return {
    remember(written) {
      for (const { id, outgoing, sentAt } of written) {
        const { sender, recipient, directed = null } = outgoing;
        keep({ id, sender, recipient, sentAt, directed });
      }
    },
    async get(id) {
      const facts = known.get(id) ?? (await load(id));
      if (facts !== undefined) keep(facts);
      return facts;
    },
  };
}
