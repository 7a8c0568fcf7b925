/** One conversation: header with the call buttons, messages, composer. */
import { Button, Tooltip } from "@arco-design/web-react";
import "@arco-design/web-react/es/Tooltip/style/css.js";
import { IconLeft } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CallMedia } from "../../../shared/protocol/call-message.ts";
import { PLATFORM_SENDER } from "../../../shared/protocol/platform-sender.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { CameraIcon, PhoneIcon } from "../../components/call-icons.tsx";
import { showError } from "../../state/show-message.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useRemarks } from "../../state/remarks.ts";
import { useOutage, useServices, useSlice } from "../../state/services.ts";
import { CHAT_TEXTS } from "./common/chat-texts.ts";
import type { Person } from "./common/useContactRows.ts";
import { BlockedNote } from "./book/BlockedNote.tsx";
import { Composer } from "./composer/Composer.tsx";
import { PlatformNote } from "./PlatformNote.tsx";
import { MessageList } from "./messages/MessageList.tsx";
import { SelectionBar } from "./messages/SelectionBar.tsx";
import { useIsBlocked } from "./common/useBlocking.ts";
import { useOpenConversation } from "./useOpenConversation.ts";
import { useTalk } from "./messages/useTalk.tsx";

export function ConversationPane(props: {
  readonly person: Person;
  /** Null while unknown. */
  readonly online: boolean | null;
  readonly onBack: () => void;
}) {
  const { person, online } = props;
  const { t } = useTranslation();
  const text = useTexts(CHAT_TEXTS);
  const outage = useOutage();
  const typing = useSlice("chat").typing[person.userName] === true;
  const { selected } = useTalk();
  const name = useRemarks()(person.userName, person.name);
  const blocked = useIsBlocked(person.userName);
  const fromPlatform = person.userName === PLATFORM_SENDER;
  const { conversation, connected, failed, retry } = useOpenConversation(
    person.userName,
    person.name,
  );

  return (
    <section className="conversation" aria-label={name}>
      <header className="conversation-top">
        <Button
          type="text"
          className="header-icon conversation-back"
          aria-label={t("common.back")}
          icon={<IconLeft />}
          onClick={props.onBack}
        />
        <Avatar
          name={name}
          src={person.avatar}
          person={person.userName}
          online={online ?? undefined}
        />
        <div className="conversation-who">
          <h2 className="ellipsis" translate="no">
            {name}
          </h2>
          <span className="ellipsis" role="status">
            {typing
              ? text("typing")
              : [fromPlatform ? "" : t(presenceText(online)), person.department, person.position]
                  .filter((x) => x)
                  .join(" · ")}
          </span>
        </div>
        {!fromPlatform && <CallButtons person={person} blocked={blocked} />}
      </header>
      <MessageList
        chatId={person.userName}
        conversation={conversation}
        failed={outage === null ? failed : null}
        connected={connected}
        onRetry={retry}
      />
      {selected !== null ? (
        <SelectionBar chatId={person.userName} name={person.name} />
      ) : fromPlatform ? (
        <PlatformNote />
      ) : blocked ? (
        <BlockedNote person={{ userName: person.userName, name }} />
      ) : (
        <Composer chatId={person.userName} name={name} />
      )}
    </section>
  );
}

const presenceText = (online: boolean | null) =>
  online === null ? "common.presenceUnknown" : online ? "common.online" : "common.offline";

function CallButtons(props: {
  readonly person: Person;
  /** The other side could not answer: what a blocked person sends does not arrive. */
  readonly blocked: boolean;
}) {
  const { person, blocked } = props;
  const { t } = useTranslation();
  const { core, media } = useServices();
  const [busy, setBusy] = useState<CallMedia | null>(null);
  const call = async (kind: CallMedia): Promise<void> => {
    if (busy !== null) return;
    setBusy(kind);
    try {
      media.requireConnections();
      await core.commands.call.start({ userName: person.userName, name: person.name, media: kind });
    } catch (error) {
      showError(error);
    } finally {
      setBusy(null);
    }
  };
  return (
    <div className="conversation-calls">
      <Tooltip content={t("people.voice")} position="bottom">
        <span>
          <Button
            shape="circle"
            type="secondary"
            aria-label={t("people.voice")}
            disabled={blocked}
            loading={busy === "voice"}
            icon={<PhoneIcon />}
            onClick={() => void call("voice")}
          />
        </span>
      </Tooltip>
      <Tooltip content={t("people.video")} position="bottom">
        <span>
          <Button
            shape="circle"
            type="secondary"
            aria-label={t("people.video")}
            disabled={blocked}
            loading={busy === "video"}
            icon={<CameraIcon />}
            onClick={() => void call("video")}
          />
        </span>
      </Tooltip>
    </div>
  );
}
