/**
 * Input for a message: Enter sends, Shift+Enter breaks the line. Pasted text becomes plain text (a textarea); pasted pictures and files
 * are looked at before they are sent.
 */
import { Button, Input } from "@arco-design/web-react";
import {
  IconAttachment,
  IconFaceSmileFill,
  IconIdcard,
  IconSend,
  IconVoice,
} from "@arco-design/web-react/icon";
import {
  lazy,
  useEffect,
  useId,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
} from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { hasVisibleText } from "../../../../shared/domain/chat-limits.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { followDraft, onDrafts, readDraft, writeDraft } from "../../../state/drafts.ts";
import { useAccount, useCore, useServices } from "../../../state/services.ts";
import { showError } from "../../../state/show-message.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { ComposerAbout } from "./ComposerAbout.tsx";
import { EmojiPanel } from "./EmojiPanel.tsx";
import { MentionList, mentionId } from "./MentionList.tsx";
import { canRecord } from "./record-sound.ts";
import { SendFiles } from "./SendFiles.tsx";
import type { GroupMember } from "../../contacts/useGroupMembers.ts";
import { useFileDrop } from "./useFileDrop.ts";
import { useMentions } from "./useMentions.ts";
import { usePickedFiles } from "./usePickedFiles.ts";
import { useTypingSignal } from "./useTypingSignal.ts";
import { quoteOf } from "../messages/useQuotes.ts";
import { useTalk } from "../messages/useTalk.tsx";
import { Part } from "../../../components/Part.tsx";
import { retrying } from "../../../state/retrying.ts";

const CardDialog = lazy(() => retrying(() => import("../choose/CardDialog.tsx")));
const VoiceRecorder = lazy(() => retrying(() => import("./VoiceRecorder.tsx")));

/** Maximum length that the send command accepts. */
const MAX = 5000;

export function Composer(props: {
  readonly chatId: string;
  /** The other side's. */
  readonly name: string;
  /** Of a group: whose names are offered after an @. */
  readonly members?: readonly GroupMember[] | null;
}) {
  const { chatId, name, members = null } = props;
  const { t } = useTranslation();
  const label = useTexts(CHAT_TEXTS);
  const form = useRef<HTMLFormElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const [emoji, setEmoji] = useState(false);
  const [recording, setRecording] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const picked = usePickedFiles(chatId);
  const onFiles = picked.add;
  const dropping = useFileDrop(form, onFiles);
  const talk = useTalk();
  const { answering, editing } = talk;
  useEffect(() => {
    if (answering !== null || editing !== null) form.current?.querySelector("textarea")?.focus();
  }, [answering, editing]);
  const core = useCore();
  const { sending } = useServices();
  const account = useAccount();
  const [draft, setDraft] = useState(() => (account === null ? "" : readDraft(account, chatId)));
  useEffect(
    () =>
      onDrafts(() => {
        // what the person is typing here stays
        if (account === null || form.current?.querySelector("textarea:focus")) return;
        setDraft(followDraft(account, chatId));
      }),
    [account, chatId],
  );
  /** The new text of the message that is edited; the draft waits until the person has done. */
  const [correction, setCorrection] = useState({ messageId: "", text: "" });
  if (editing !== null && correction.messageId !== editing.id) {
    setCorrection({ messageId: editing.id, text: editing.msg });
  }
  if (editing === null && correction.messageId !== "") setCorrection({ messageId: "", text: "" });
  const text = editing === null ? draft : correction.text;
  const tellTyping = useTypingSignal(chatId);
  const change = (next: string): void => {
    if (editing !== null) return setCorrection({ messageId: editing.id, text: next });
    if (account !== null) writeDraft(account, chatId, next);
    setDraft(next);
    if (hasVisibleText(next)) tellTyping();
  };
  const [saving, setSaving] = useState(false);
  const empty = !hasVisibleText(text);
  const over = text.length > MAX;

  const save = async ({ id }: ChatMessage): Promise<void> => {
    if (empty || over || saving) return;
    setSaving(true);
    try {
      await core.commands.chat.edit({ chatId, id, text: text.replace(/\s+$/, "") });
      talk.end();
    } catch (error) {
      showError(error);
    } finally {
      setSaving(false);
    }
  };
  const editLast = (): void => {
    const conversation = core.state.chat.conversations[chatId];
    const last = conversation?.order
      .flatMap((id) => conversation.messages[id] ?? [])
      .findLast((m) => m.bySelf && m.type === "text" && m.mid !== null && m.status !== "recall");
    // a copy: the state changes under a proxy
    if (last !== undefined) talk.edit({ ...last });
  };
  const send = (): void => {
    if (editing !== null) return void save(editing);
    const quote = talk.answering === null ? null : quoteOf(talk.answering);
    if (empty || over || !sending.send(chatId, text.replace(/\s+$/, ""), quote)) return;
    talk.end();
    change("");
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (mentions.onKey(event)) return;
    if (event.key === "ArrowUp" && text === "" && answering === null) {
      event.preventDefault();
      return editLast();
    }
    if (event.key === "Escape" && (answering !== null || editing !== null)) {
      event.stopPropagation();
      return talk.end();
    }
    // an Enter that ends an input method's composition must not send; some browsers report it by key code 229
    if (event.key !== "Enter" || event.shiftKey) return;
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };

  const input = (): HTMLTextAreaElement | null => form.current?.querySelector("textarea") ?? null;
  const replace = (from: number, to: number, added: string): void => {
    const area = input();
    // The text is written at once, so that the caret stands behind it before the next key.
    flushSync(() => change(text.slice(0, from) + added + text.slice(to)));
    area?.focus();
    area?.setSelectionRange(from + added.length, from + added.length);
  };
  const insert = (added: string): void => {
    const area = input();
    setEmoji(false);
    replace(area?.selectionStart ?? text.length, area?.selectionEnd ?? text.length, added);
  };
  const mentions = useMentions(text, members, replace);
  const mentionsId = useId();
  const offers = mentions.list.length > 0;
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    // a copied cell or paragraph brings its text and a picture of it: the text is meant
    if (files.length === 0 || event.clipboardData.types.includes("text/plain")) return;
    event.preventDefault();
    onFiles(files);
  };

  return (
    <>
      <form
        ref={form}
        className="composer"
        {...(editing === null ? { "data-kept": "" } : {})}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <ComposerAbout chatId={chatId} talk={talk} />
        {offers && <MentionList id={mentionsId} mentions={mentions} />}
        <Input.TextArea
          className="composer-text"
          aria-label={t("people.compose")}
          placeholder={t("people.compose")}
          value={text}
          rows={2}
          onChange={(next, event) => {
            const { target } = event;
            if (target instanceof HTMLTextAreaElement) mentions.onCaret(target.selectionStart);
            change(next);
          }}
          onSelect={(event) => {
            const { target } = event;
            if (target instanceof HTMLTextAreaElement) mentions.onCaret(target.selectionStart);
          }}
          aria-autocomplete={members === null ? undefined : "list"}
          aria-controls={offers ? mentionsId : undefined}
          aria-activedescendant={offers ? mentionId(mentionsId, mentions.active) : undefined}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {emoji && (
          <EmojiPanel
            onPick={insert}
            onClose={() => {
              setEmoji(false);
              input()?.focus();
            }}
          />
        )}
        {recording && (
          <Part onFailed={() => setRecording(false)}>
            <VoiceRecorder
              chatId={chatId}
              onClose={() => {
                setRecording(false);
                input()?.focus();
              }}
            />
          </Part>
        )}
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            onFiles([...(event.target.files ?? [])]);
            // so that the same file can be chosen again
            event.target.value = "";
          }}
        />
        <div className="composer-foot">
          <Button
            type="text"
            className="composer-tool"
            aria-label={label("emoji")}
            title={label("emoji")}
            aria-expanded={emoji}
            icon={<IconFaceSmileFill />}
            onClick={() => setEmoji((open) => !open)}
          />
          <Button
            type="text"
            className="composer-tool"
            aria-label={label("attach")}
            title={label("attach")}
            icon={<IconAttachment />}
            onClick={() => chooser.current?.click()}
          />
          <Button
            type="text"
            className="composer-tool"
            aria-label={label("sendCard")}
            title={label("sendCard")}
            aria-haspopup="dialog"
            icon={<IconIdcard />}
            onClick={() => setChoosing(true)}
          />
          {canRecord() && (
            <Button
              type="text"
              className="composer-tool"
              aria-label={label("record")}
              title={label("record")}
              aria-expanded={recording}
              icon={<IconVoice />}
              onClick={() => setRecording((open) => !open)}
            />
          )}
          <span className={over ? "composer-over" : "composer-hint"} aria-live="polite">
            {over ? t("people.tooLong", { max: MAX }) : t("people.composeHint")}
          </span>
          <Button
            type="primary"
            htmlType="submit"
            disabled={empty || over}
            loading={saving}
            icon={<IconSend />}
          >
            {editing === null ? t("people.send") : label("save")}
          </Button>
        </div>
      </form>
      {/* outside of the form: events in a dialog would reach it through React's tree */}
      <SendFiles name={name} picked={picked} />
      {choosing && (
        <Part onFailed={() => setChoosing(false)}>
          <CardDialog
            chatId={chatId}
            onClose={() => {
              setChoosing(false);
              input()?.focus();
            }}
          />
        </Part>
      )}
      {dropping && <div className="conversation-drop">{label("drop", { name })}</div>}
    </>
  );
}
