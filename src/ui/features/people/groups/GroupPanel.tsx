/** The members of a group, and what this person may do with it. */
import { Button, Input } from "@arco-design/web-react";
import { IconClose, IconSearch } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChatGroup } from "../../../../shared/protocol/state.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore, useSlice } from "../../../state/services.ts";
import { GROUP_TEXTS, useConfirm } from "../common/group-texts.ts";
import { GroupBlocked } from "./GroupBlocked.tsx";
import { GroupFiles } from "./GroupFiles.tsx";
import { GroupDialog } from "./GroupDialog.tsx";
import { GroupMembers } from "./GroupMembers.tsx";
import { GroupAnnouncementDialog, GroupCardDialog, GroupSettings } from "./GroupSettings.tsx";
import type { GroupMember } from "../../contacts/useGroupMembers.ts";

type Open = "files" | "invite" | "settings" | "announcement" | "card" | "blocked" | null;

export function GroupPanel(props: {
  readonly group: ChatGroup;
  readonly members: readonly GroupMember[] | null;
  readonly onClose: () => void;
}) {
  const { group, members } = props;
  const { t } = useTranslation();
  const text = useTexts(GROUP_TEXTS);
  const core = useCore();
  const { chatUserName } = useSlice("session");
  const [keyword, setKeyword] = useState("");
  const [dialog, setDialog] = useState<Open>(null);
  const isOwner = group.role === "owner";
  const rules = group.role !== "member";
  const confirm = useConfirm();

  return (
    <aside className="group-panel" aria-label={text("members")}>
      <header className="group-panel-top">
        <h3>{text("membersOf", { count: group.members })}</h3>
        <Button
          type="text"
          className="header-icon"
          aria-label={t("common.close")}
          icon={<IconClose />}
          onClick={props.onClose}
        />
      </header>
      {group.description !== "" && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
        <div className="group-about" role="group" aria-label={text("description")} tabIndex={0}>
          {group.description}
        </div>
      )}
      <div className="group-panel-tools">
        {(rules || group.allowInvites) && (
          <Button size="small" onClick={() => setDialog("invite")}>
            {text("invite")}
          </Button>
        )}
        <Button size="small" onClick={() => setDialog("files")}>
          {text("files")}
        </Button>
        {rules && (
          <>
            <Button size="small" onClick={() => setDialog("announcement")}>
              {text("announcement")}
            </Button>
            <Button size="small" onClick={() => setDialog("settings")}>
              {text("settings")}
            </Button>
            <Button size="small" onClick={() => setDialog("blocked")}>
              {text("blocked")}
            </Button>
          </>
        )}
        <Button size="small" onClick={() => setDialog("card")}>
          {text("card")}
        </Button>
      </div>
      <Input
        allowClear
        className="group-panel-search"
        prefix={<IconSearch aria-hidden="true" />}
        aria-label={text("search")}
        placeholder={text("search")}
        value={keyword}
        maxLength={100}
        onChange={setKeyword}
      />
      <GroupMembers group={group} keyword={keyword} />
      <footer className="group-panel-end">
        {isOwner ? (
          <Button
            long
            status="danger"
            onClick={() =>
              confirm(text("dissolve"), text("dissolveAsk"), () =>
                core.commands.group.dissolve({ groupId: group.id }),
              )
            }
          >
            {text("dissolve")}
          </Button>
        ) : (
          <Button
            long
            status="danger"
            onClick={() =>
              confirm(text("leave"), text("leaveAsk"), () =>
                core.commands.group.leave({ groupId: group.id }),
              )
            }
          >
            {text("leave")}
          </Button>
        )}
      </footer>
      {dialog === "invite" && (
        <GroupDialog
          title={text("inviteTo", { name: group.name })}
          named={false}
          without={new Set((members ?? []).map((m) => m.userName))}
          save={(_named, people) =>
            core.commands.group.invite({ groupId: group.id, members: people })
          }
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === "settings" && <GroupSettings group={group} onClose={() => setDialog(null)} />}
      {dialog === "announcement" && (
        <GroupAnnouncementDialog group={group} onClose={() => setDialog(null)} />
      )}
      {dialog === "card" && (
        <GroupCardDialog
          group={group}
          card={members?.find((m) => m.userName === chatUserName)?.card ?? ""}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === "files" && <GroupFiles group={group} onClose={() => setDialog(null)} />}
      {dialog === "blocked" && <GroupBlocked group={group} onClose={() => setDialog(null)} />}
    </aside>
  );
}
