/** The members in the panel of a group: only the rows near the visible part are rendered (docs/chat.md#members-of-a-group). */
import { Button, Spin } from "@arco-design/web-react";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChatGroup } from "../../../shared/protocol/state.ts";
import { useRowsInSight } from "../../components/useRowsInSight.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useServerNow, useOutage, useSlice } from "../../state/services.ts";
import { GROUP_TEXTS } from "./group-texts.ts";
import { GroupMemberRow } from "./GroupMemberRow.tsx";
import { useMemberPages } from "./useMemberPages.ts";

/** px of a row whose acts are folded. */
const ROW = 44;
/** Rows that are rendered above and below the visible part. */
const AROUND = 12;

export function GroupMembers(props: { readonly group: ChatGroup; readonly keyword: string }) {
  const { group, keyword } = props;
  const { t } = useTranslation();
  const text = useTexts(GROUP_TEXTS);
  const { chatUserName } = useSlice("session");
  const now = useServerNow(10_000);
  const outage = useOutage();
  const box = useRef<HTMLDivElement>(null);
  /** The row with the focus, which stays wherever the list is scrolled. */
  const [kept, setKept] = useState<number | null>(null);
  const { total, at, failed, need, retry } = useMemberPages(group.id, group.revision, keyword);
  const count = total ?? 0;
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoises here
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: AROUND,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      if (kept === null || kept >= count || shown.includes(kept)) return shown;
      return [...shown, kept].toSorted((a, b) => a - b);
    },
  });
  const items = virtual.getVirtualItems();
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
  const last = Math.min(Math.max(0, count - 1), endIndex + AROUND);
  const first = Math.min(last, Math.max(0, startIndex - AROUND));
  useRowsInSight(first, last, need);

  // what is found begins at the top, wherever the list was scrolled
  useEffect(() => {
    // Newer browsers answer a scroll with a promise, which React would take for the cleanup of the effect.
    box.current?.scrollTo(0, 0);
  }, [keyword]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
    <div
      ref={box}
      className="group-panel-scroll"
      role="group"
      aria-label={text("members")}
      tabIndex={0}
    >
      {total === null && !failed && (
        <div className="contacts-note" role="status" aria-label={t("common.loading")}>
          <Spin />
        </div>
      )}
      {failed && outage === null && (
        <div className="contacts-note" role="alert">
          {text("membersFailed")}
          <Button size="small" onClick={retry}>
            {t("common.retry")}
          </Button>
        </div>
      )}
      {total === 0 && <p className="contacts-note">{text("noMatch")}</p>}
      <ul
        className="group-members"
        aria-label={text("members")}
        style={{ height: virtual.getTotalSize() }}
        onFocus={({ target }) => {
          const index = target.closest("li")?.dataset["index"];
          if (index !== undefined) setKept(Number(index));
        }}
        onBlur={() => setKept(null)}
      >
        {items.map(({ index, start }) => {
          const member = at(index);
          return (
            <li
              key={member?.userName ?? index}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={count}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              {member === undefined ? (
                <div className="group-member-line" aria-busy="true" />
              ) : (
                <GroupMemberRow
                  group={group}
                  member={member}
                  self={member.userName === chatUserName}
                  now={now}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
