/** Messages of a conversation, oldest on top. Stays at the end when scrolled there, and keeps its position when older messages load. */
import { Button, Spin } from "@arco-design/web-react";
import { Fragment, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { messageTime } from "../../../shared/domain/format.ts";
import type { ChatMessage } from "../../../shared/protocol/state.ts";
import type { WaitingMessage } from "../../state/sending.ts";
import { tellError } from "../../state/tell.ts";
import { useCore, useNow, useServices, useWaiting } from "../../state/services.ts";
import { messagePreview, timeMarks, type ConversationView } from "./conversations.ts";

/** Distance in px from the end that still counts as the end. */
const NEAR = 80;

export function MessageList(props: {
  readonly chatId: string;
  readonly conversation:
    | (ConversationView & { readonly historyLoaded: boolean; readonly historyEnd: boolean })
    | undefined;
  readonly failed: string | null;
  /** Chat is connected, so the history will arrive. */
  readonly connected: boolean;
  readonly onRetry: () => void;
}) {
  const { chatId, conversation, failed } = props;
  const { t } = useTranslation();
  const core = useCore();
  const now = useNow(60_000);
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const before = useRef<{ first: string | undefined; height: number }>({
    first: undefined,
    height: 0,
  });
  const [loading, setLoading] = useState(false);

  const order = conversation?.order ?? [];
  const unsent = useWaiting(chatId).filter(
    ({ id }) => id === null || conversation?.messages[id] === undefined,
  );
  const first = order[0];
  const last = order.at(-1);
  const lastBySelf = last !== undefined && conversation?.messages[last]?.bySelf === true;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const kept = before.current;
    if (kept.first !== undefined && kept.first !== first && !atEnd.current) {
      element.scrollTop += element.scrollHeight - kept.height;
    } else if (atEnd.current || lastBySelf || unsent.length > 0) {
      element.scrollTop = element.scrollHeight;
    }
    before.current = { first, height: element.scrollHeight };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- every change of the list may move the end
  }, [first, last, lastBySelf, order.length, unsent.length]);

  const older = async (): Promise<void> => {
    atEnd.current = false;
    setLoading(true);
    try {
      await core.commands.chat.older({ chatId });
    } catch (error) {
      tellError(error);
    } finally {
      setLoading(false);
    }
  };

  const marks = conversation === undefined ? new Set<string>() : timeMarks(conversation);
  const waiting = props.connected && conversation?.historyLoaded !== true && failed === null;
  return (
    <div
      ref={box}
      className="messages"
      role="log"
      aria-label={t("people.messages")}
      tabIndex={0}
      onScroll={(event) => {
        const e = event.currentTarget;
        atEnd.current = e.scrollHeight - e.scrollTop - e.clientHeight < NEAR;
      }}
    >
      {failed !== null && (
        <div className="messages-note" role="alert">
          {t("people.openFailed")}：{failed}
          <Button size="mini" onClick={props.onRetry}>
            {t("common.retry")}
          </Button>
        </div>
      )}
      {waiting && (
        <div className="messages-note" role="status" aria-label={t("common.loading")}>
          <Spin />
        </div>
      )}
      {conversation?.historyLoaded === true && order.length > 0 && (
        <div className="messages-note">
          {conversation.historyEnd ? (
            t("people.begin")
          ) : (
            <Button size="mini" loading={loading} onClick={() => void older()}>
              {t("people.older")}
            </Button>
          )}
        </div>
      )}
      {conversation?.historyLoaded === true && order.length === 0 && unsent.length === 0 && (
        <p className="messages-empty">{t("people.noMessages")}</p>
      )}
      <ol>
        {order.map((id) => {
          const message = conversation?.messages[id];
          if (message === undefined) return null;
          return (
            <Fragment key={id}>
              {marks.has(id) && (
                <li className="message-time">
                  <time dateTime={new Date(message.time).toISOString()}>
                    {messageTime(message.time, now)}
                  </time>
                </li>
              )}
              <MessageItem chatId={chatId} message={message} />
            </Fragment>
          );
        })}
        {unsent.map((message) => (
          <WaitingItem key={message.key} message={message} />
        ))}
      </ol>
    </div>
  );
}

/** A message that the core has not taken yet. */
function WaitingItem({ message }: { readonly message: WaitingMessage }) {
  const { sending } = useServices();
  return (
    <Bubble
      status={message.failed ? "failed" : "sending"}
      text={message.text}
      bySelf
      onResend={() => sending.again(message.key)}
    />
  );
}

function MessageItem(props: { readonly chatId: string; readonly message: ChatMessage }) {
  const { chatId, message } = props;
  const { t } = useTranslation();
  const core = useCore();
  if (message.status === "recall") {
    return <li className="message-recall">{messagePreview(message, t)}</li>;
  }
  const resend = (): void => {
    core.commands.chat.resend({ chatId, id: message.id }).catch(tellError);
  };
  return (
    <Bubble
      status={message.status}
      text={message.type === "text" ? message.msg : messagePreview(message, t)}
      bySelf={message.bySelf}
      onResend={resend}
    />
  );
}

function Bubble(props: {
  readonly status: ChatMessage["status"];
  readonly text: string;
  readonly bySelf: boolean;
  readonly onResend: () => void;
}) {
  const { status, text, bySelf } = props;
  const { t } = useTranslation();
  return (
    <li className="message" data-self={bySelf} data-status={status}>
      <div className="message-bubble">{text}</div>
      {bySelf && (
        <div className="message-status">
          {status === "sending" && t("people.sending")}
          {(status === "sent" || status === "unread") && t("people.sent")}
          {status === "read" && t("people.read")}
          {status === "failed" && (
            <span className="message-failed" role="alert">
              {t("people.failedSend")}
              <button type="button" onClick={props.onResend}>
                {t("people.resend")}
              </button>
            </span>
          )}
        </div>
      )}
    </li>
  );
}
