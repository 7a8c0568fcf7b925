/** Input for a message: Enter sends, Shift+Enter breaks the line, pasted content becomes plain text (a textarea). */
import { Button, Input } from "@arco-design/web-react";
import { IconSend } from "@arco-design/web-react/icon";
import { useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { hasVisibleText } from "../../../shared/domain/chat.ts";
import { readDraft, writeDraft } from "../../state/drafts.ts";
import { useAccount, useServices } from "../../state/services.ts";

/** Maximum length that the send command accepts. */
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
    // an Enter that ends an input method's composition must not send; some browsers report it by key code 229
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
