/** Above the list of people: make a group, find one to enter, and what waits for an answer. */
import { Badge, Button, Tooltip } from "@arco-design/web-react";
import "@arco-design/web-react/es/Badge/style/css.js";
import "@arco-design/web-react/es/Tooltip/style/css.js";
import { IconNotification, IconPhone, IconPlus, IconUserAdd } from "@arco-design/web-react/icon";
import { type ReactNode, useState } from "react";
import { groupChatId } from "../../../../shared/domain/group-chat.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore, useFrozenSlice } from "../../../state/services.ts";
import { StartCallDialog } from "../../group-call/CallPeopleDialog.tsx";
import { GROUP_CALL_TEXTS } from "../../group-call/texts.ts";
import { GROUP_TEXTS } from "../common/group-texts.ts";
import { GroupDialog } from "./GroupDialog.tsx";
import { GroupInbox } from "./GroupInbox.tsx";
import { GroupSearch } from "./GroupSearch.tsx";

type Open = "call" | "create" | "find" | "inbox" | null;

export function GroupMenu({ onChoose }: { readonly onChoose: (chatId: string) => void }) {
  const text = useTexts(GROUP_TEXTS);
  const callText = useTexts(GROUP_CALL_TEXTS);
  const core = useCore();
  const { groupRequests } = useFrozenSlice("chat");
  const waiting = groupRequests.filter(({ kind }) => kind !== "applied").length;
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const choose = (groupId: string): void => {
    close();
    onChoose(groupChatId(groupId));
  };
  const button = (which: Open, hint: string, label: string, icon: ReactNode) => (
    <Tooltip content={hint} position="bottom">
      <Button type="secondary" aria-label={label} icon={icon} onClick={() => setOpen(which)} />
    </Tooltip>
  );
  return (
    <>
      <span className="group-menu">
        {button("call", callText("start"), callText("start"), <IconPhone />)}
        {button("create", text("create"), text("create"), <IconPlus />)}
        {button("find", text("find"), text("find"), <IconUserAdd />)}
        <Badge count={waiting} maxCount={99}>
          {button(
            "inbox",
            text("inbox"),
            waiting === 0 ? text("inbox") : text("inboxCount", { count: waiting }),
            <IconNotification />,
          )}
        </Badge>
      </span>
      {open === "call" && <StartCallDialog groupId={null} media={null} onClose={close} />}
      {open === "create" && (
        <GroupDialog
          title={text("create")}
          named
          without={new Set()}
          save={async (named, members) => {
            const { groupId } = await core.commands.group.create({ ...named, members });
            onChoose(groupChatId(groupId));
          }}
          onClose={close}
        />
      )}
      {open === "find" && <GroupSearch onOpen={choose} onClose={close} />}
      {open === "inbox" && <GroupInbox onOpen={choose} onClose={close} />}
    </>
  );
}
