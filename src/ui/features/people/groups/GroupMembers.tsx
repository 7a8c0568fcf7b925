/** The members in the panel of a group: only the rows near the visible part are rendered (docs/chat.md#members-of-a-group). */
import type { ChatGroup } from "../../../../shared/protocol/state.ts";
import { useVirtualList } from "../../../components/useVirtualList.ts";
import { useRowsInSight } from "../../../components/useRowsInSight.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useServerNow, useOutage, useSlice } from "../../../state/services.ts";
import { GROUP_TEXTS } from "../common/group-texts.ts";
import { GroupMemberRow } from "./GroupMemberRow.tsx";
import { LoadNote } from "../../contacts/LoadNote.tsx";
import { useMemberPages } from "./useMemberPages.ts";

/** px of a row whose acts are folded. */
const ROW = 44;

export function GroupMembers(props: { readonly group: ChatGroup; readonly keyword: string }) {
  const { group, keyword } = props;
  const text = useTexts(GROUP_TEXTS);
  const { chatUserName } = useSlice("session");
  const now = useServerNow(10_000);
  const outage = useOutage();
  const { total, at, failed, need, retry } = useMemberPages(group.id, group.revision, keyword);
  const count = total ?? 0;
  const { box, height, items, first, last, measure, keeping } = useVirtualList(
    count,
    ROW,
    (index) => at(index)?.userName ?? index,
    keyword,
  );
  useRowsInSight(first, last, need);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
    <div
      ref={box}
      className="group-panel-scroll"
      role="group"
      aria-label={text("members")}
      tabIndex={0}
    >
      <LoadNote
        missing={total === null && !failed}
        failure={failed && outage === null ? text("membersFailed") : null}
        onRetry={retry}
      />
      {total === 0 && <p className="contacts-note">{text("noMatch")}</p>}
      <ul className="group-members" aria-label={text("members")} style={{ height }} {...keeping}>
        {items.map(({ index, key, start }) => {
          const member = at(index);
          return (
            <li
              key={key}
              ref={measure}
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
