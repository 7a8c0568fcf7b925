/** Invitations to this person, applications to the groups that they rule, and their own applications. */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import { Dialog } from "../../../components/dialog/Dialog.tsx";
import type { GroupRequest } from "../../../../shared/protocol/group-model.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { useFocusBack } from "../../../components/useFocusBack.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore, useFrozenSlice } from "../../../state/services.ts";
import { showError } from "../../../state/show-message.ts";
import { useRelativeTime } from "../../../state/time.ts";
import { GROUP_TEXTS } from "../common/group-texts.ts";
import "../../contacts/groups.css";
import { CloseButtons } from "../../../components/dialog/DialogButtons.tsx";

const keyOf = (request: GroupRequest): string =>
  `${request.kind}:${request.groupId}:${request.userName}`;

export function GroupInbox(props: {
  /** Opens the conversation of a group that was entered. */
  readonly onOpen: (groupId: string) => void;
  readonly onClose: () => void;
}) {
  const text = useTexts(GROUP_TEXTS);
  const core = useCore();
  const { groupRequests } = useFrozenSlice("chat");
  const relative = useRelativeTime();
  const [busy, setBusy] = useState<string | null>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));

  const answer = async (request: GroupRequest, accept: boolean): Promise<void> => {
    const { kind, groupId, userName } = request;
    setBusy(keyOf(request));
    try {
      if (kind === "invitation") {
        await core.commands.group.answerInvitation({ groupId, accept });
        if (accept) props.onOpen(groupId);
      } else await core.commands.group.answerApplication({ groupId, userName, accept });
    } catch (error) {
      showError(error);
    }
    setBusy(null);
  };

  return (
    <Dialog
      visible
      title={text("inbox")}
      className="form-dialog"
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      {groupRequests.length === 0 ? (
        <p className="contacts-note">{text("inboxEmpty")}</p>
      ) : (
        <ul className="group-inbox" aria-label={text("inbox")}>
          {groupRequests.map((request) => (
            <li key={keyOf(request)} data-kind={request.kind}>
              <Avatar name={request.name} src={request.avatar} size={36} />
              <div className="group-inbox-text">
                <p>{text(request.kind, { name: request.name, group: request.groupName })}</p>
                {request.message !== "" && (
                  <p className="group-quiet">{text("words", { words: request.message })}</p>
                )}
                <span className="group-quiet">{relative(request.at)}</span>
              </div>
              {request.kind === "applied" ? (
                <span className="group-quiet">{text("waiting")}</span>
              ) : (
                <span className="group-inbox-buttons">
                  <Button
                    size="small"
                    disabled={busy !== null}
                    aria-label={text("declineOf", { name: request.name, group: request.groupName })}
                    onClick={() => void answer(request, false)}
                  >
                    {text("decline")}
                  </Button>
                  <Button
                    size="small"
                    type="primary"
                    loading={busy === keyOf(request)}
                    disabled={busy !== null && busy !== keyOf(request)}
                    aria-label={text("acceptOf", { name: request.name, group: request.groupName })}
                    onClick={() => void answer(request, true)}
                  >
                    {text("accept")}
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <CloseButtons onClose={props.onClose} />
    </Dialog>
  );
}
