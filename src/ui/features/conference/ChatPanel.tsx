/** Text messages within the conference; they are gone when it ends. */
import { Button, Input } from "@arco-design/web-react";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { shownText } from "../../../shared/domain/conference-message.ts";
import { hasVisibleText } from "../../../shared/domain/chat-limits.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import { useSlice } from "../../state/services.ts";
import { Panel } from "./Panel.tsx";
import type { ConferenceActions } from "./useConference.ts";

const LIMIT = 2000;

export function ChatPanel(props: {
  readonly actions: ConferenceActions;
  readonly onClose: () => void;
}) {
  const { actions } = props;
  const { t } = useTranslation();
  const { messages } = useSlice("conference");
  const [text, setText] = useState("");
  const end = useRef<HTMLLIElement>(null);
  const count = messages.length;
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [count]);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const said = text.trim();
    if (!hasVisibleText(said)) return;
    if (await actions.say(said)) setText("");
  };
  return (
    <Panel
      label={t("conference.chat.title")}
      title={t("conference.chat.title")}
      onClose={props.onClose}
    >
      <ul className="conference-messages" role="log">
        {count === 0 && <li className="conference-hint">{t("conference.chat.empty")}</li>}
        {messages.map((message) => (
          <li key={message.id} data-mine={message.mine}>
            <small>
              {message.mine ? t("conference.inside.self") : message.nickName}{" "}
              <time className="tnum">{formatDate(message.at, "{h}:{i}")}</time>
            </small>
            <p>{shownText(message.text)}</p>
          </li>
        ))}
        <li ref={end} aria-hidden="true" />
      </ul>
      <form onSubmit={(event) => void submit(event)}>
        <Input
          value={text}
          onChange={setText}
          maxLength={LIMIT}
          placeholder={t("conference.chat.placeholder")}
          aria-label={t("conference.chat.placeholder")}
        />
        <Button
          type="primary"
          htmlType="submit"
          disabled={!hasVisibleText(text)}
          loading={actions.busy.has("say")}
        >
          {t("conference.chat.send")}
        </Button>
      </form>
    </Panel>
  );
}
