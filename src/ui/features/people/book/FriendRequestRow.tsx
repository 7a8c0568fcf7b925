/** A friend request: to this person with its answers, or of this person with the way to take it back. */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import type { FriendRequest } from "../../../../shared/protocol/friend-model.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore } from "../../../state/services.ts";
import { showMessage, showError } from "../../../state/show-message.ts";
import { useRelativeTime } from "../../../state/time.ts";
import { FRIEND_TEXTS, useFriendErrors } from "../common/friend-texts.ts";

export function FriendRequestRow({ request }: { readonly request: Readonly<FriendRequest> }) {
  const { kind, userName, name, message } = request;
  const text = useTexts(FRIEND_TEXTS);
  const worded = useFriendErrors();
  const { friend } = useCore().commands;
  const relative = useRelativeTime();
  const [busy, setBusy] = useState<"accept" | "other" | null>(null);
  const act = async (which: "accept" | "other", run: () => Promise<unknown>): Promise<void> => {
    if (busy !== null) return;
    setBusy(which);
    try {
      await run();
      if (which === "accept") showMessage("success", text("nowFriends", { name }));
    } catch (error) {
      showError(worded(error));
    }
    setBusy(null);
  };
  return (
    <li className="book-row" data-kind={kind} data-user={userName}>
      <Avatar name={name} src={request.avatar} size={36} />
      <div className="group-inbox-text">
        <p className="book-name">{name}</p>
        {message !== "" && <p className="group-quiet">{text("words", { words: message })}</p>}
        <p className="group-quiet">
          {kind === "sent" && `${text("waiting")} · `}
          {relative(request.at)}
        </p>
        <span className="group-inbox-buttons">
          {kind === "sent" ? (
            <Button
              size="mini"
              loading={busy !== null}
              aria-label={text("takeBackOf", { name })}
              onClick={() => void act("other", () => friend.remove({ userName }))}
            >
              {text("takeBack")}
            </Button>
          ) : (
            <>
              <Button
                size="mini"
                type="primary"
                loading={busy === "accept"}
                disabled={busy === "other"}
                aria-label={text("acceptOf", { name })}
                onClick={() => void act("accept", () => friend.accept({ userName }))}
              >
                {text("accept")}
              </Button>
              <Button
                size="mini"
                loading={busy === "other"}
                disabled={busy === "accept"}
                aria-label={text("declineOf", { name })}
                onClick={() => void act("other", () => friend.decline({ userName }))}
              >
                {text("decline")}
              </Button>
            </>
          )}
        </span>
      </div>
    </li>
  );
}
