/** One conversation: header with the call buttons, messages, composer. */
import { Button, Tooltip } from "@arco-design/web-react";
import "@arco-design/web-react/es/Tooltip/style/css.js";
import { IconLeft } from "@arco-design/web-react/icon";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CallMedia } from "../../../shared/protocol/call-message.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { CameraIcon, PhoneIcon } from "../../components/call-icons.tsx";
import { errorText } from "../../i18n/index.ts";
import { tellError } from "../../state/tell.ts";
import {
  useCore,
  useCoreState,
  useOutage,
  usePageVisible,
  useServices,
  useSlice,
} from "../../state/services.ts";
import type { Person } from "./ContactList.tsx";
import { keepTrying } from "../../state/recover.ts";
import { Composer } from "./Composer.tsx";
import { useConversations } from "./conversations-now.ts";
import { MessageList } from "./MessageList.tsx";

export function ConversationPane(props: {
  readonly person: Person;
  /** Null while unknown. */
  readonly online: boolean | null;
  readonly onBack: () => void;
}) {
  const { person, online } = props;
  const { t } = useTranslation();
  const core = useCore();
  const link = useCoreState();
  const outage = useOutage();
  const { connection } = useSlice("chat");
  const connected = connection === "open";
  const conversations = useConversations();
  const conversation = conversations[person.userName];
  const [failed, setFailed] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (link.state !== "ready") return;
    return keepTrying(
      () =>
        core.commands.chat
          .open({ chatId: person.userName, name: person.name })
          .then(() => setFailed(null)),
      (error) => setFailed(errorText(error)),
      () => core.state.session.status === "anonymous",
    );
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- attempt counts the retry button; after a reconnect, open reads the missed messages
  }, [core, person.userName, person.name, attempt, link.state, connected]);

  // a message is read when it is visible, not when it arrives
  const visible = usePageVisible();
  const unread = conversation?.unread ?? 0;
  useEffect(() => {
    if (!visible || unread === 0) return;
    core.commands.chat.markRead({ chatId: person.userName }).catch(() => undefined);
  }, [core, visible, unread, person.userName]);

  return (
    <section className="conversation" aria-label={person.name}>
      <header className="conversation-top">
        <Button
          type="text"
          className="header-icon conversation-back"
          aria-label={t("common.back")}
          icon={<IconLeft />}
          onClick={props.onBack}
        />
        <Avatar name={person.name} src={person.avatar} online={online ?? undefined} />
        <div className="conversation-who">
          <h2 className="ellipsis">{person.name}</h2>
          <span className="ellipsis">
            {[t(presenceText(online)), person.department, person.position]
              .filter((x) => x)
              .join(" · ")}
          </span>
        </div>
        <CallButtons person={person} />
      </header>
      <MessageList
        chatId={person.userName}
        conversation={conversation}
        failed={outage === null ? failed : null}
        connected={connected}
        onRetry={() => {
          setFailed(null);
          setAttempt((n) => n + 1);
        }}
      />
      <Composer chatId={person.userName} />
    </section>
  );
}

const presenceText = (online: boolean | null) =>
  online === null ? "common.presenceUnknown" : online ? "common.online" : "common.offline";

function CallButtons({ person }: { readonly person: Person }) {
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
      tellError(error);
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
            loading={busy === "video"}
            icon={<CameraIcon />}
            onClick={() => void call("video")}
          />
        </span>
      </Tooltip>
    </div>
  );
}
