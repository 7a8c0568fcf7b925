/** Stands in the composer's place while this person blocks the other one. */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { FRIEND_TEXTS } from "../common/friend-texts.ts";
import { useBlocking } from "../common/useBlocking.ts";

export function BlockedNote(props: {
  readonly person: { readonly userName: string; readonly name: string };
}) {
  const text = useTexts(FRIEND_TEXTS);
  const blocking = useBlocking();
  const [busy, setBusy] = useState(false);
  const unblock = async (): Promise<void> => {
    setBusy(true);
    await blocking.unblock(props.person);
    setBusy(false);
  };
  return (
    <div className="message-blocked">
      <p role="status">{text("cannotWrite")}</p>
      <Button size="small" loading={busy} onClick={() => void unblock()}>
        {text("unblock")}
      </Button>
    </div>
  );
}
