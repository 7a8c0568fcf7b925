/** The message above which the line "new messages" stands: the first that was not read when the person came or looked away. */
import { useState } from "react";
import { usePageFocused, usePageVisible } from "../../../state/services.ts";
import type { ConversationView } from "../common/conversations.ts";

export function useNewLine(
  conversation: ConversationView | undefined,
  atEnd: boolean,
): string | null {
  const visible = usePageVisible();
  const focused = usePageFocused();
  const [line, setLine] = useState<string | null>(null);
  /** The person has read everything since the conversation was opened. */
  const [settled, setSettled] = useState(false);
  const order = conversation?.order ?? [];
  const first = order.find((id) => conversation?.messages[id]?.status === "unread") ?? null;
  const lastBySelf = conversation?.messages[order.at(-1) ?? ""]?.bySelf === true;

  if (line === null && first !== null && (!settled || !visible || !focused || !atEnd))
    setLine(first);
  if (!settled && first === null && conversation !== undefined) setSettled(true);
  // Answering means that everything was read.
  if (line !== null && lastBySelf && atEnd && first === null) setLine(null);
  return line;
}
