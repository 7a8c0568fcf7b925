/** The people who may not enter a group, for those who rule it. */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import { Dialog } from "../../../components/dialog/Dialog.tsx";
import type { ChatGroup } from "../../../../shared/protocol/state.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { useFocusBack } from "../../../components/useFocusBack.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useRemarks } from "../../../state/remarks.ts";
import { useCore, useFrozenSlice } from "../../../state/services.ts";
import { showError } from "../../../state/show-message.ts";
import { useAsked } from "../../../state/useAsked.ts";
import { GROUP_TEXTS } from "../common/group-texts.ts";
import { LoadNote } from "../../contacts/LoadNote.tsx";
import "../../contacts/groups.css";
import { CloseButtons } from "../../../components/dialog/DialogButtons.tsx";

export function GroupBlocked(props: { readonly group: ChatGroup; readonly onClose: () => void }) {
  const { id: groupId, revision } = props.group;
  const text = useTexts(GROUP_TEXTS);
  const core = useCore();
  const { names } = useFrozenSlice("chat");
  const remark = useRemarks();
  const {
    found: people,
    failure,
    again,
  } = useAsked(`${groupId} ${revision}`, () => core.commands.group.blocked({ groupId }));
  const [busy, setBusy] = useState<string | null>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  const free = (userName: string): void => {
    setBusy(userName);
    core.commands.group
      .block({ groupId, userName, blocked: false })
      .catch(showError)
      .finally(() => {
        setBusy(null);
        again();
      });
  };
  return (
    <Dialog
      visible
      title={text("blocked")}
      className="form-dialog"
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      <LoadNote missing={people === null} failure={failure} onRetry={again} />
      {people?.length === 0 && <p className="contacts-note">{text("blockedNone")}</p>}
      <ul className="group-inbox" aria-label={text("blocked")}>
        {(people ?? []).map(({ userName, name }) => {
          const shown = remark(userName, names[userName] ?? name);
          return (
            <li key={userName}>
              <Avatar name={shown} person={userName} size={32} />
              <span className="group-inbox-text ellipsis">{shown}</span>
              <Button
                size="small"
                loading={busy === userName}
                aria-label={text("unblockOf", { name: shown })}
                onClick={() => free(userName)}
              >
                {text("unblock")}
              </Button>
            </li>
          );
        })}
      </ul>
      <CloseButtons onClose={props.onClose} />
    </Dialog>
  );
}
