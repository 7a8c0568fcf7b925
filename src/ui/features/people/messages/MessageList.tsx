/** Messages of a conversation, oldest on top; older ones load as the top comes near (docs/chat.md#message-list). */
import { Button, Spin } from "@arco-design/web-react";
import { IconArrowDown, IconReply } from "@arco-design/web-react/icon";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CHAT_RECALL_MS } from "../../../../shared/domain/chat-limits.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import type { OpenedMenu } from "../../../components/menu-point.ts";
import { useUnevenRows } from "../../../components/useUnevenRows.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { serverNow, useCore, useWaiting } from "../../../state/services.ts";
import { notShown } from "../../../state/sending.ts";
import { showError } from "../../../state/show-message.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { CallEntry, type Entry, usePastCalls } from "./CallEntry.tsx";
import { type ConversationView, messagePreview } from "../common/conversations.ts";
import { copyText } from "./copy-text.ts";
import { type Unit, unitsOf } from "./list-units.ts";
import { MessageItem, WaitingItem } from "./MessageItem.tsx";
import { LoadFailed, Mark } from "./MessageMarks.tsx";
import { type MessageAction, MessageMenu, type MessageMenuAt } from "./MessageMenu.tsx";
import { layOut, type Row } from "./rows.ts";
import { SELECT_TEXTS } from "./select-texts.ts";
import { useJump } from "./useJump.ts";
import { useUnseen, useWritten } from "./useNewest.ts";
import { useNewLine } from "./useNewLine.ts";
import { useMore } from "./useMore.ts";
import { usePart } from "./usePart.ts";
import { useSenderName } from "./useQuotes.ts";
import { useReading } from "./useReading.ts";
import { useReply } from "./useReply.ts";
import { useScroll } from "./useScroll.ts";
import { isSelectable } from "./useSelection.ts";
import { useTalk } from "./useTalk.tsx";

const NO_MESSAGES: ConversationView["messages"] = {};
interface OpenMenu extends MessageMenuAt, OpenedMenu {
  /** As it was when the menu opened. */
  readonly message: ChatMessage;
}
const callKey = (call: Entry): string => ("confrId" in call ? call.confrId : call.id);

export function MessageList(props: {
  readonly chatId: string;
  readonly conversation:
    | (ConversationView & { readonly historyLoaded: boolean; readonly historyEnd: boolean })
    | undefined;
  readonly failed: string | null;
  /** Chat is connected, so the history will arrive. */
  readonly connected: boolean;
  readonly onRetry: () => void;
  /** Of a group: the sender's name stands above the messages of another. */
  readonly nameOf?: (userName: string) => string;
}) {
  const { chatId, conversation, failed, connected } = props;
  const { t } = useTranslation();
  const text = useTexts(CHAT_TEXTS);
  const selectText = useTexts(SELECT_TEXTS);
  const order = conversation?.order ?? [];
  const loaded = conversation?.historyLoaded === true;
  const unsent = notShown(useWaiting(chatId), conversation?.messages ?? NO_MESSAGES);
  const core = useCore();
  const box = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const part = usePart(conversation, atEnd);
  const first = part.order[0];
  const last = order.at(-1);
  const newLine = useNewLine(conversation, atEnd && !part.old);
  const unseen = useUnseen(conversation, atEnd && !part.old);
  useReading(chatId, box, {
    newest: last,
    unread: conversation?.unread ?? 0,
    atEnd: atEnd && !part.old,
    loaded: loaded || order.length > 0,
  });
  const pastCalls = usePastCalls(chatId);
  const complete = conversation?.historyEnd === true && !part.cut;
  const messages = conversation?.messages ?? NO_MESSAGES;
  const { rows, places } = useMemo(
    () => layOut({ order: part.order, messages }, pastCalls, complete),
    [part.order, messages, pastCalls, complete],
  );
  const callsAtEnd = loaded && !part.old;
  const units = useMemo(
    () => unitsOf({ rows, places, callKey, callsAtEnd, newLine, waiting: part.old ? [] : unsent }),
    [rows, places, callsAtEnd, newLine, part.old, unsent],
  );
  const { list, pieces, keep, settle } = useUnevenRows(units, box);
  const lastBySelf = last !== undefined && messages[last]?.bySelf === true;
  const { onScroll, toEnd } = useScroll(box, {
    last,
    lastBySelf,
    unsent: unsent.length,
    open: part.old,
    onSettled: settle,
    onEnd: setAtEnd,
  });
  const { cut, showNewest } = part;
  const leaveOld = useCallback(() => {
    showNewest();
    core.commands.chat.newest({ chatId }).catch(showError);
    setAtEnd(true);
  }, [core, chatId, showNewest]);
  useWritten({ last, lastBySelf, unsent: unsent.length }, () => part.old && leaveOld());
  const ready = loaded && connected;
  const loadOlder = useCallback(async () => {
    // the old messages that another tab reads make room: those before the newest come next
    if (cut) await core.commands.chat.newest({ chatId });
    await core.commands.chat.older({ chatId });
  }, [core, chatId, cut]);
  const { edge: olderEdge, ...older } = useMore(box, loadOlder, {
    more: ready && !complete,
    at: first,
  });
  const loadNewer = useCallback(() => core.commands.chat.newer({ chatId }), [core, chatId]);
  const { edge: newerEdge, ...newer } = useMore(box, loadNewer, {
    more: ready && part.old,
    at: part.order.at(-1),
  });
  const talk = useTalk();
  const nameOf = useSenderName(chatId);
  const jump = useJump(chatId, box, conversation, { show: part.show, keep });
  const { at } = talk;
  const loads = conversation !== undefined && (loaded || order.length > 0);
  useEffect(() => {
    if (at !== null && loads) jump(at);
  }, [at, loads, jump]);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const openMenu = useCallback(
    (message: ChatMessage, at: OpenedMenu) =>
      setMenu({ message, ...at, recent: serverNow(core) - message.time < CHAT_RECALL_MS }),
    [setMenu, core],
  );
  const react = useCallback(
    ({ id, reactions }: ChatMessage, reaction: string): void => {
      const on = reactions?.find((each) => each.reaction === reaction)?.bySelf !== true;
      core.commands.chat.react({ chatId, id, reaction, on }).catch(showError);
    },
    [core, chatId],
  );
  const { selected, toggle } = talk;
  const selecting = selected !== null;
  const cue = useRef<HTMLSpanElement>(null);
  useReply(box, cue, { messages, selecting, answer: talk.answer });
  const selectable = useRef<readonly string[]>([]);
  const select = useCallback(
    ({ id }: ChatMessage, range: boolean) => toggle(id, selectable.current, range),
    [toggle],
  );
  useEffect(() => {
    selectable.current = rows.flatMap(({ message }) => (isSelectable(message) ? message.id : []));
  }, [rows]);
  useEffect(() => {
    if (!selecting) return;
    const first = box.current?.querySelector<HTMLElement>(".message-check:checked");
    first?.focus({ preventScroll: true });
  }, [selecting, box]);
  const act = (action: MessageAction, message: ChatMessage): void => {
    switch (action) {
      case "answer":
        return talk.answer(message);
      case "copy":
        return void copyText(message.msg);
      case "forward":
        return talk.forward([message], null);
      case "select":
        return talk.select(message);
      case "edit":
        return talk.edit(message);
      case "recall":
        core.commands.chat.recall({ chatId, id: message.id }).catch(showError);
    }
  };
  const showMessage = (row: Row) => (
    <MessageItem
      key={row.message.id}
      chatId={chatId}
      row={row}
      sender={row.begins && !row.message.bySelf ? props.nameOf?.(row.message.from) : undefined}
      quotedName={row.message.quote === undefined ? undefined : nameOf(row.message.quote.from)}
      onAnswer={talk.answer}
      onMenu={openMenu}
      onReact={react}
      onJump={jump}
      selected={selected?.has(row.message.id) ?? null}
      selectLabel={
        selecting && isSelectable(row.message)
          ? selectText("choose", {
              name: nameOf(row.message.from),
              text: messagePreview(row.message, t),
            })
          : null
      }
      onSelect={select}
    />
  );
  const show = (unit: Unit<Entry>) => {
    switch (unit.kind) {
      case "message":
        return showMessage(unit.row);
      case "call":
        return <CallEntry key={unit.key} call={unit.call} />;
      case "mark":
        return <Mark key={unit.key} kind={unit.mark} time={unit.time} />;
      case "new":
        return (
          <li key={unit.key} className="message-new">
            <span>{text("newMessages")}</span>
          </li>
        );
      case "waiting":
        return <WaitingItem key={unit.key} message={unit.message} />;
    }
  };
  return (
    <div className="messages-area">
      <div
        ref={box}
        className="messages"
        role="log"
        aria-label={t("people.messages")}
        tabIndex={0}
        onScroll={onScroll}
      >
        {failed !== null && (
          <div className="messages-note" role="alert">
            {t("people.openFailed")}：{failed}
            <Button size="mini" onClick={props.onRetry}>
              {t("common.retry")}
            </Button>
          </div>
        )}
        {connected && !loaded && failed === null && (
          <div className="messages-note" role="status" aria-label={t("common.loading")}>
            <Spin />
          </div>
        )}
        {/* a div of its own stays when the notes change, so that the observer keeps watching it */}
        <div ref={olderEdge} />
        <LoadFailed {...older} />
        {loaded && order.length > 0 && complete && (
          <div className="messages-note">{t("people.begin")}</div>
        )}
        {loaded && order.length === 0 && unsent.length === 0 && pastCalls.length === 0 && (
          <p className="messages-empty">{t("people.noMessages")}</p>
        )}
        <ol
          ref={list}
          onFocus={({ target, currentTarget }) => {
            const item = currentTarget.contains(target) ? target.closest("[data-row]") : null;
            if (item instanceof HTMLElement) keep(item.dataset["row"] ?? "");
          }}
        >
          {pieces.map((piece) =>
            "row" in piece ? (
              show(piece.row)
            ) : (
              <li key={piece.skip} aria-hidden="true" style={{ height: piece.height }} />
            ),
          )}
        </ol>
        <LoadFailed {...newer} />
        <div ref={newerEdge} />
      </div>
      <span ref={cue} className="message-swipe" aria-hidden="true">
        <IconReply />
      </span>
      {/* beside the messages, so that it moves none of them */}
      {(older.loading || newer.loading) && (
        <div className="messages-loading" role="status" aria-label={t("common.loading")}>
          <Spin />
        </div>
      )}
      {menu !== null && (
        <MessageMenu
          at={menu}
          message={messages[menu.message.id] ?? menu.message}
          onReact={react}
          onAct={act}
          onClose={(refocus) => {
            setMenu(null);
            if (refocus && menu.opener instanceof HTMLElement) menu.opener.focus();
          }}
        />
      )}
      {(!atEnd || part.old) && (
        <Button
          className="messages-newest"
          shape="round"
          aria-label={unseen === 0 ? text("toNewest") : undefined}
          title={text("toNewest")}
          icon={<IconArrowDown />}
          onClick={part.old ? leaveOld : toEnd}
        >
          {unseen === 0 ? null : text("unseen", { count: unseen })}
        </Button>
      )}
    </div>
  );
}
