/** The conversation of a group: header, messages with their senders' names, composer, and the panel of members. */
import { Button } from "@arco-design/web-react";
import { IconLeft, IconUserGroup } from "@arco-design/web-react/icon";
import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { groupChatId } from "../../../shared/domain/group-chat.ts";
import { CameraIcon, PhoneIcon } from "../../components/call-icons.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useRemarks } from "../../state/remarks.ts";
import { useFrozenSlice, useServerNow, useOutage } from "../../state/services.ts";
import { StartCallDialog } from "../group-call/CallPeopleDialog.tsx";
import { GroupCallBanner } from "../group-call/GroupCallBanner.tsx";
import { Composer } from "./composer/Composer.tsx";
import { GROUP_TEXTS, useGroupName } from "./common/group-texts.ts";
import { GroupAvatar } from "../contacts/GroupAvatar.tsx";
import { GroupBanner } from "./groups/GroupBanner.tsx";
import { GroupPanel } from "./groups/GroupPanel.tsx";
import { MessageList } from "./messages/MessageList.tsx";
import { SelectionBar } from "./messages/SelectionBar.tsx";
import { useGroupMembers } from "../contacts/useGroupMembers.ts";
import { useOpenConversation } from "./useOpenConversation.ts";
import { useTalk } from "./messages/useTalk.tsx";
import "../contacts/groups.css";

export function GroupPane(props: {
  readonly groupId: string;
  /** Shown until the group is known. */
  readonly name: string;
  readonly onBack: () => void;
}) {
  const { groupId } = props;
  const { t } = useTranslation();
  const text = useTexts(GROUP_TEXTS);
  const outage = useOutage();
  const { selected } = useTalk();
  const { groups, names, connection } = useFrozenSlice("chat");
  const group = groups[groupId];
  const named = useGroupName();
  const name = group?.name ?? named(props.name);
  const chatId = groupChatId(groupId);
  const { conversation, connected, failed, retry } = useOpenConversation(chatId, group?.name ?? "");
  const members = useGroupMembers(groupId, group?.revision ?? null);
  const [open, setOpen] = useState(false);
  const [calling, setCalling] = useState<"voice" | "video" | null>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const cards = useMemo(
    () => new Map((members ?? []).map(({ userName, card }) => [userName, card])),
    [members],
  );
  const remark = useRemarks();
  /** The remark, else what a member is called in this group; for who has left, the own name. */
  const nameOf = useCallback(
    (userName: string) => remark(userName, cards.get(userName) || (names[userName] ?? userName)),
    [cards, names, remark],
  );
  const now = useServerNow(10_000);
  /** Why this person may not write here. */
  const silent =
    (group?.mutedUntil ?? 0) > now
      ? "mutedYou"
      : group?.muted === true && group.role === "member" && !group.allowed
        ? "mutedAll"
        : null;
  const close = (): void => {
    setOpen(false);
    toggle.current?.focus();
  };

  return (
    <section
      className="conversation"
      aria-label={name}
      onKeyDown={(event) => {
        // React passes on the keys of dialogs too, which stand elsewhere in the page
        const here = event.target instanceof Node && event.currentTarget.contains(event.target);
        if (open && here && event.key === "Escape") close();
      }}
    >
      <header className="conversation-top">
        <Button
          type="text"
          className="header-icon conversation-back"
          aria-label={t("common.back")}
          icon={<IconLeft />}
          onClick={props.onBack}
        />
        <GroupAvatar />
        <div className="conversation-who">
          <h2 className="ellipsis">{name}</h2>
          {group !== undefined && <span>{text("count", { count: group.members })}</span>}
        </div>
        {group !== undefined && (
          <div className="conversation-calls">
            <Button
              shape="circle"
              type="secondary"
              aria-label={t("people.voice")}
              icon={<PhoneIcon />}
              onClick={() => setCalling("voice")}
            />
            <Button
              shape="circle"
              type="secondary"
              aria-label={t("people.video")}
              icon={<CameraIcon />}
              onClick={() => setCalling("video")}
            />
            <Button
              ref={toggle}
              shape="circle"
              type="secondary"
              aria-label={text("members")}
              aria-expanded={open}
              icon={<IconUserGroup />}
              onClick={() => (open ? close() : setOpen(true))}
            />
          </div>
        )}
      </header>
      <div className="group-body">
        <div className="group-talk">
          <GroupBanner announcement={group?.announcement ?? ""} />
          <GroupCallBanner groupId={groupId} />
          <MessageList
            chatId={chatId}
            conversation={conversation}
            failed={outage === null && group !== undefined ? failed : null}
            connected={connected}
            onRetry={retry}
            nameOf={nameOf}
          />
          {selected !== null ? (
            <SelectionBar chatId={chatId} name={name} />
          ) : group === undefined && connection === "open" ? (
            <p className="group-gone" role="status">
              {text("notIn")}
            </p>
          ) : silent !== null ? (
            <p className="group-gone" role="status">
              {text(silent)}
            </p>
          ) : (
            <Composer chatId={chatId} name={name} members={members} />
          )}
        </div>
        {open && group !== undefined && (
          <GroupPanel group={group} members={members} onClose={close} />
        )}
      </div>
      {calling !== null && (
        <StartCallDialog groupId={groupId} media={calling} onClose={() => setCalling(null)} />
      )}
    </section>
  );
}
