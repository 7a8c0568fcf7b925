/**
 * Which messages of a conversation the list shows: all of them, or, while messages are missing between the old ones that somebody reads
 * and the newest, one of these two parts (docs/chat.md#messages-in-memory).
 */
import { useCallback, useMemo, useState } from "react";
import { tailAt } from "../../../../shared/domain/chat-window.ts";
import type { ConversationView } from "../common/conversations.ts";

export interface Part {
  /** Ids, oldest first. */
  readonly order: readonly string[];
  /** Newer messages are missing after these. */
  readonly old: boolean;
  /** Older messages in memory are not shown, because those between are missing. */
  readonly cut: boolean;
  showNewest(): void;
  /** Shows the part that has this message. @returns whether it is shown already */
  show(id: string): boolean;
}

const NONE: readonly string[] = [];

/** @param atEnd the list is scrolled to its end */
export function usePart(conversation: ConversationView | undefined, atEnd: boolean): Part {
  const order = conversation?.order ?? NONE;
  const tail = conversation?.tail;
  const [reads, setReads] = useState<"old" | "newest">("newest");
  const [had, setHad] = useState(tail);
  if (had !== tail) {
    setHad(tail);
    // messages between went away: who reads above the end stays with the old ones
    if (had === undefined) setReads(atEnd ? "newest" : "old");
  }
  const at = tailAt({ order, tail });
  const old = tail !== undefined && reads === "old";
  const shown = useMemo(
    () => (tail === undefined ? order : old ? order.slice(0, at) : order.slice(at)),
    [order, tail, old, at],
  );
  const showNewest = useCallback(() => setReads("newest"), []);
  const show = useCallback(
    (id: string): boolean => {
      if (tail === undefined) return true;
      const wanted = order.indexOf(id) < at ? "old" : "newest";
      setReads(wanted);
      return (wanted === "old") === old;
    },
    [order, tail, at, old],
  );
  return { order: shown, old, cut: tail !== undefined && !old, showNewest, show };
}
