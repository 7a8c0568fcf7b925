import { useEffect, useRef } from "react";
import { Avatar } from "../../../components/Avatar.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { useRemarks } from "../../../state/remarks.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { GroupAvatar } from "../../contacts/GroupAvatar.tsx";
import type { Mentions } from "./useMentions.ts";

/** The id of an option, which the composer names as the active one. */
export const mentionId = (list: string, at: number): string => `${list}-${at}`;

/** Names after an @. The focus stays in the composer. */
export function MentionList(props: { readonly id: string; readonly mentions: Mentions }) {
  const { id, mentions } = props;
  const { list, active, pick } = mentions;
  const text = useTexts(CHAT_TEXTS);
  const box = useRef<HTMLUListElement>(null);
  const remark = useRemarks();
  useEffect(() => {
    box.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <ul ref={box} id={id} className="mentions" role="listbox" aria-label={text("mentionWhom")}>
      {list.map((person, at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the composer has the keys
        <li
          key={person.userName ?? ""}
          id={mentionId(id, at)}
          role="option"
          aria-selected={at === active}
          // keeps the focus in the composer
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(person)}
        >
          {person.userName === null ? (
            <GroupAvatar size={28} />
          ) : (
            <Avatar name={person.name} src={person.avatar} size={28} />
          )}
          <span className="ellipsis">{person.name}</span>
          {person.userName !== null && remark(person.userName, "") !== "" && (
            <span className="group-quiet ellipsis">{remark(person.userName, "")}</span>
          )}
          {person.card !== "" && <span className="group-quiet ellipsis">{person.card}</span>}
        </li>
      ))}
    </ul>
  );
}
