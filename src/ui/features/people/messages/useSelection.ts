/** The messages of the open conversation that the person has selected. */
import { useCallback, useMemo, useRef, useState } from "react";
import { CHAT_COMBINED_MAX } from "../../../../shared/domain/chat-limits.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { showMessage } from "../../../state/show-message.ts";
import { SELECT_TEXTS } from "./select-texts.ts";

/** The server has the message, so it can be sent on and deleted. */
export const isSelectable = ({ mid, status }: ChatMessage): boolean =>
  mid !== null && status !== "recall";

export interface Selection {
  /** Ids of the selected messages; null while nothing can be selected. */
  readonly selected: ReadonlySet<string> | null;
  /** Begins with this message. */
  select(message: ChatMessage): void;
  /**
   * @param among the ids of the list as it stands, which a range is taken from
   * @param range selects all up to the message that was changed last
   */
  toggle(id: string, among: readonly string[], range: boolean): void;
  endSelecting(): void;
}

/** @param act.from the message that was changed before; with `range`, all from it to `id` are selected */
export function selectionAfter(
  selected: ReadonlySet<string> | null,
  act: {
    readonly id: string;
    readonly from: string | null;
    readonly among: readonly string[];
    readonly range: boolean;
  },
): ReadonlySet<string> {
  const next = new Set(selected);
  const [start, end] = [act.among.indexOf(act.from ?? ""), act.among.indexOf(act.id)];
  if (act.range && start >= 0 && end >= 0) {
    const range = act.among.slice(Math.min(start, end), Math.max(start, end) + 1);
    for (const id of range) next.add(id);
  } else if (!next.delete(act.id)) next.add(act.id);
  return next;
}

export function useSelection(): Selection {
  const text = useTexts(SELECT_TEXTS);
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null);
  // what is selected now, so that the rows of the list keep their callback
  const now = useRef<ReadonlySet<string> | null>(null);
  const last = useRef<string | null>(null);
  const put = useCallback((next: ReadonlySet<string> | null): void => {
    now.current = next;
    setSelected(next);
  }, []);
  const select = useCallback(
    ({ id }: ChatMessage): void => {
      last.current = id;
      put(new Set([id]));
    },
    [put],
  );
  const endSelecting = useCallback(() => put(null), [put]);
  const toggle = useCallback<Selection["toggle"]>(
    (id, among, range) => {
      const next = selectionAfter(now.current, { id, from: last.current, among, range });
      last.current = id;
      if (next.size > CHAT_COMBINED_MAX) {
        return showMessage("warning", text("tooMany", { max: CHAT_COMBINED_MAX }));
      }
      put(next);
    },
    [put, text],
  );
  return useMemo(
    () => ({ selected, select, toggle, endSelecting }),
    [selected, select, toggle, endSelecting],
  );
}
