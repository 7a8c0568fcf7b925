/** One message of the list: its bubble, status and copy button. */
import { Button } from "@arco-design/web-react";
import { IconCopy, IconMore, IconReply } from "@arco-design/web-react/icon";
import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ChatQuote } from "../../../../shared/protocol/chat-parts.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { menuAtPointer, menuOfButton, type OpenedMenu } from "../../../components/menu-point.ts";
import { useTexts } from "../../../i18n/texts.ts";
import type { WaitingMessage } from "../../../state/sending.ts";
import { useCore, useServices } from "../../../state/services.ts";
import { showError } from "../../../state/show-message.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { CombinedCard } from "./CombinedCard.tsx";
import { CustomMessage, PlaceMessage } from "./OtherMessages.tsx";
import { copyText } from "./copy-text.ts";
import { messagePreview } from "../common/conversations.ts";
import { MessageCheck } from "./MessageCheck.tsx";
import { MessageFile } from "./MessageFile.tsx";
import { MessageText } from "./MessageText.tsx";
import { Reactions } from "./Reactions.tsx";
import { ReadBy } from "./ReadBy.tsx";
import type { Row } from "./rows.ts";
import { useQuoteText } from "./useQuotes.ts";
import { useViewers } from "./useViewers.tsx";

/** A message that the core has not taken yet. */
export function WaitingItem({ message }: { readonly message: WaitingMessage }) {
  const { sending } = useServices();
  return (
    <Bubble
      status={message.failed ? "failed" : "sending"}
      bySelf
      begins
      ends
      copied={message.text}
      onResend={() => sending.again(message.key)}
    >
      <MessageText text={message.text} />
    </Bubble>
  );
}

interface ItemProps {
  readonly chatId: string;
  readonly row: Row;
  /** Name above the message. */
  readonly sender: string | undefined;
  /** Name of the sender of the message that this one answers. */
  readonly quotedName: string | undefined;
  readonly onAnswer: (message: ChatMessage) => void;
  readonly onMenu: (message: ChatMessage, at: OpenedMenu) => void;
  readonly onReact: (message: ChatMessage, reaction: string) => void;
  readonly onJump: (mid: string) => void;
  /** Whether the message is selected; null while nothing can be selected. */
  readonly selected: boolean | null;
  /** What the box says that selects it; null while there is none. */
  readonly selectLabel: string | null;
  readonly onSelect: (message: ChatMessage, range: boolean) => void;
}
/** Rows are made with each change of the list; the messages in them stay the same objects. */
const isSame = (a: ItemProps, b: ItemProps): boolean =>
  a.chatId === b.chatId &&
  a.sender === b.sender &&
  a.quotedName === b.quotedName &&
  a.onAnswer === b.onAnswer &&
  a.onMenu === b.onMenu &&
  a.onReact === b.onReact &&
  a.selected === b.selected &&
  a.selectLabel === b.selectLabel &&
  a.onSelect === b.onSelect &&
  a.row.quoted === b.row.quoted &&
  a.row.message === b.row.message &&
  a.row.begins === b.row.begins &&
  a.row.ends === b.row.ends;

export const MessageItem = memo(function MessageItem(props: ItemProps) {
  const { chatId, row } = props;
  const { message } = row;
  const { t } = useTranslation();
  const core = useCore();
  const viewers = useViewers();
  const openCombined = (): void => {
    if (message.combined !== undefined) viewers.openCombined(message.combined);
  };
  if (message.status === "recall") {
    return <li className="message-recall">{messagePreview(message, t)}</li>;
  }
  const resend = (): void => {
    core.commands.chat.resend({ chatId, id: message.id }).catch(showError);
  };
  return (
    <Bubble
      status={message.status}
      bySelf={message.bySelf}
      begins={row.begins}
      ends={row.ends}
      sender={props.sender}
      kind={message.type}
      copied={message.type === "text" ? message.msg : null}
      onResend={resend}
      message={message}
      onAnswer={props.onAnswer}
      onMenu={props.onMenu}
      selected={props.selected}
      check={
        props.selected !== null &&
        props.selectLabel !== null && (
          <MessageCheck
            label={props.selectLabel}
            checked={props.selected}
            onToggle={(range) => props.onSelect(message, range)}
          />
        )
      }
      below={
        message.reactions === undefined ? null : (
          <Reactions
            chatId={chatId}
            message={message}
            reactions={message.reactions}
            onReact={props.onReact}
          />
        )
      }
    >
      {message.quote !== undefined && (
        <Quote
          quote={message.quote}
          quoted={row.quoted}
          name={props.quotedName ?? message.quote.from}
          onJump={props.onJump}
        />
      )}
      {message.type === "text" ? (
        <>
          <MessageText text={message.msg} />
          {message.edits !== undefined && <Edited />}
        </>
      ) : message.combined !== undefined ? (
        <CombinedCard combined={message.combined} dialog onOpen={openCombined} />
      ) : message.place !== undefined ? (
        <PlaceMessage place={message.place} />
      ) : message.custom !== undefined ? (
        <CustomMessage custom={message.custom} card={message.type === "card"} />
      ) : message.file === undefined ? (
        messagePreview(message, t)
      ) : (
        <MessageFile message={message} />
      )}
    </Bubble>
  );
}, isSame);

function Edited() {
  const text = useTexts(CHAT_TEXTS);
  return <span className="message-edited">{text("edited")}</span>;
}

/** The message that another one answers; a click leads to it. */
function Quote(props: {
  readonly quote: ChatQuote;
  readonly quoted: ChatMessage | undefined;
  readonly name: string;
  readonly onJump: (mid: string) => void;
}) {
  const { quote, name } = props;
  const label = useTexts(CHAT_TEXTS);
  const text = useQuoteText()(quote, props.quoted);
  return (
    <button
      type="button"
      className="message-quote"
      aria-label={label("quoted", { name, text })}
      onClick={() => props.onJump(quote.mid)}
    >
      <span className="message-quote-name" translate="no">
        {name}
      </span>
      <span className="message-quote-text">{text}</span>
    </button>
  );
}

function Bubble(props: {
  readonly status: ChatMessage["status"];
  readonly bySelf: boolean;
  readonly begins: boolean;
  readonly ends: boolean;
  readonly sender?: string | undefined;
  readonly kind?: ChatMessage["type"];
  /** What the copy button copies; null without one. */
  readonly copied: string | null;
  readonly onResend: () => void;
  /** The message that the server has; its actions are shown. */
  readonly message?: ChatMessage;
  readonly onAnswer?: (message: ChatMessage) => void;
  readonly onMenu?: (message: ChatMessage, at: OpenedMenu) => void;
  /** Whether the message is selected; null or left out while nothing can be selected. */
  readonly selected?: boolean | null;
  /** The box that selects it. */
  readonly check?: ReactNode;
  /** Stands below the bubble. */
  readonly below?: ReactNode;
  readonly children: ReactNode;
}) {
  const { status, bySelf, copied, message, kind = "text", onAnswer, onMenu } = props;
  const { t } = useTranslation();
  const text = useTexts(CHAT_TEXTS);
  const asksReaders = message?.readers !== undefined && message.mid !== null;
  const loud = status === "failed" || status === "sending";
  return (
    <li
      className="message"
      data-self={bySelf}
      data-status={status}
      data-kind={kind}
      data-begins={props.begins}
      data-ends={props.ends}
      data-mid={message?.mid ?? undefined}
      data-row={message?.id}
      data-selecting={props.selected ?? undefined}
      tabIndex={-1}
    >
      {props.check}
      {props.sender !== undefined && <div className="message-sender">{props.sender}</div>}
      <div
        className="message-row"
        // a link in the text, or a picture, would take the click that selects
        inert={typeof props.selected === "boolean"}
        onContextMenu={(event) => {
          // selected text and addresses keep the browser's menu
          const other = event.target instanceof Element && event.target.closest("a, video, audio");
          if (message === undefined || other || getSelection()?.isCollapsed === false) return;
          event.preventDefault();
          onMenu?.(message, menuAtPointer(event));
        }}
      >
        <div className="message-bubble">{props.children}</div>
        {message?.mid !== null && message !== undefined && (
          <Button
            className="message-tool message-quick"
            size="mini"
            type="text"
            aria-label={text("answer")}
            title={text("answer")}
            icon={<IconReply />}
            onClick={() => onAnswer?.(message)}
          />
        )}
        {copied !== null && (
          <Button
            className="message-tool message-quick"
            size="mini"
            type="text"
            aria-label={text("copy")}
            title={text("copy")}
            icon={<IconCopy />}
            onClick={() => void copyText(copied)}
          />
        )}
        {message?.mid !== null && message !== undefined && (
          <Button
            className="message-tool"
            size="mini"
            type="text"
            aria-label={text("actions")}
            aria-haspopup="menu"
            title={text("actions")}
            icon={<IconMore />}
            onClick={(event) => {
              const at = menuOfButton(event);
              if (at !== null) onMenu?.(message, at);
            }}
          />
        )}
      </div>
      {props.below}
      {bySelf && (props.ends || loud || asksReaders) && (
        <div className="message-status">
          {status === "sending" && t("people.sending")}
          {asksReaders ? (
            <ReadBy message={message} />
          ) : (
            <>
              {(status === "sent" || status === "unread") && t("people.sent")}
              {status === "delivered" && text("delivered")}
              {status === "read" && t("people.read")}
            </>
          )}
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
