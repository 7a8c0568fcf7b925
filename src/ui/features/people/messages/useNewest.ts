/** What happens at the end of the message list while the person reads elsewhere. */
import { useEffect, useRef, useState } from "react";
import type { ConversationView } from "../common/conversations.ts";

/** Calls `onWritten` when the person has written a message. */
export function useWritten(
  now: { readonly last: string | undefined; readonly lastBySelf: boolean; readonly unsent: number },
  onWritten: () => void,
): void {
  const { last, lastBySelf, unsent } = now;
  const before = useRef({ last, unsent });
  useEffect(() => {
    const wrote = (lastBySelf && before.current.last !== last) || unsent > before.current.unsent;
    before.current = { last, unsent };
    if (wrote) onWritten();
  });
}

/** Messages of others that came after the person scrolled away from the end. */
export function useUnseen(conversation: ConversationView | undefined, atEnd: boolean): number {
  const order = conversation?.order ?? [];
  const messages = conversation?.messages ?? {};
  const last = messages[order.at(-1) ?? ""]?.time ?? 0;
  const [seen, setSeen] = useState(last);
  if (atEnd && seen !== last) setSeen(last);
  if (atEnd || seen === 0 || last <= seen) return 0;
  return order.filter((id) => (messages[id]?.time ?? 0) > seen && messages[id]?.bySelf === false)
    .length;
}
