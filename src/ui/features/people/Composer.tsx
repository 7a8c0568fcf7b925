/** Where a message is written: Enter sends, Shift+Enter breaks the line, paste is plain text (a textarea takes nothing else). */
import { Button, Input } from "@arco-design/web-react";
import { IconSend } from "@arco-design/web-react/icon";
import { useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { tellError } from "../../state/tell.ts";
import { useCore } from "../../state/services.ts";

/** Limit of the send command. */
const MAX = 5000;

/** Texts not sent yet, by chat id. */
export type Drafts = Map<string, string>;

export function Composer(props: { readonly chatId: string; readonly drafts: Drafts }) {
  const { chatId, drafts } = props;
  const { t } = useTranslation();
  const core = useCore();
  const [text, setText] = useState(() => drafts.get(chatId) ?? "");
  const change = (next: string): void => {
    drafts.set(chatId, next);
    setText(next);
  };
  const empty = text.trim() === "";
  const over = text.length > MAX;

  const send = async (): Promise<void> => {
    if (empty || over) return;
    const sent = text;
    change("");
    try {
      await core.commands.chat.send({ chatId, text: sent.replace(/\s+$/, "") });
    } catch (error) {
      // nothing that was written is lost
      const now = drafts.get(chatId) ?? "";
      change(now === "" ? sent : `${sent}\n${now}`);
      tellError(error);
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Enter that ends an input method's composition is not meant for us; 229 is how some browsers say so
    if (event.key !== "Enter" || event.shiftKey) return;
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    void send();
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
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
