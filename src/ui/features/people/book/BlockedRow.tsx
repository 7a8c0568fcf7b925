/** A person on the blacklist, with the way off it. */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import type { ChatFriends } from "../../../../shared/protocol/friend-model.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { useRemarks } from "../../../state/remarks.ts";
import { FRIEND_TEXTS } from "../common/friend-texts.ts";
import { useBlocking } from "../common/useBlocking.ts";

export function BlockedRow(props: { readonly person: Readonly<ChatFriends["blocked"][number]> }) {
  const { userName } = props.person;
  const name = useRemarks()(userName, props.person.name);
  const text = useTexts(FRIEND_TEXTS);
  const blocking = useBlocking();
  const [busy, setBusy] = useState(false);
  const unblock = async (): Promise<void> => {
    setBusy(true);
    await blocking.unblock({ userName, name });
    setBusy(false);
  };
  return (
    <li className="book-row" data-user={userName}>
      <Avatar name={name} person={userName} size={36} />
      <p className="book-name ellipsis">{name}</p>
      <Button
        size="mini"
        loading={busy}
        aria-label={text("unblockOf", { name })}
        onClick={() => void unblock()}
      >
        {text("unblock")}
      </Button>
    </li>
  );
}
