/** Where a message is written: Enter sends, Shift+Enter breaks the line, paste is plain text (a textarea takes nothing else). */
import { Button, Input } from "@arco-design/web-react";
import { IconSend } from "@arco-design/web-react/icon";
import { useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { hasVisibleText } from "../../../shared/domain/chat.ts";
import { readDraft, writeDraft } from "../../state/drafts.ts";
import { useAccount, useServices } from "../../state/services.ts";

/** Limit of the send command. */
const MAX = 5000;

export function Composer({ chatId }: { readonly chatId: string }) {
  const { t } = useTranslation();
  const { sending } = useServices();
  const account = useAccount();
  const [text, setText] = useState(() => (account === null ? "" : readDraft(account, chatId)));
  const change = (next: string): void => {
    if (account !== null) writeDraft(account, chatId, next);
    setText(next);
  };
  const empty = !hasVisibleText(text);
  const over = text.length > MAX;

  const send = (): void => {
    if (empty || over || !sending.send(chatId, text.replace(/\s+$/, ""))) return;
    change("");
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Enter that ends an input method's composition is not meant for us; 229 is how some browsers say so
    if (event.key !== "Enter" || event.shiftKey) return;
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Input.TextArea
        className="composer-text"
        aria-label={t("people.compose")}
        placeholder={t("people.compose")}
        value={text}
        rows={2}
        onChange={change}
        onKeyDown={onKeyDown}
      />
      <div className="composer-foot">
        <span className={over ? "composer-over" : "composer-hint"} aria-live="polite">
          {over ? t("people.tooLong", { max: MAX }) : t("people.composeHint")}
        </span>
        <Button type="primary" htmlType="submit" disabled={empty || over} icon={<IconSend />}>
          {t("people.send")}
        </Button>
      </div>
    </form>
  );
}
