/** Every upload of all tabs, below the header: how far, how fast, and what went wrong. */
import { Button } from "@arco-design/web-react";
import { IconClose, IconRefresh } from "@arco-design/web-react/icon";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { fileSize } from "../../../shared/domain/chat-files.ts";
import { AppError } from "../../../shared/errors.ts";
import type { ChatUpload, UploadEntry } from "../../../shared/protocol/state.ts";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { UPLOADS_TEXTS } from "./texts.ts";
import { chatEntry } from "./totals.ts";

type Text = ReturnType<typeof useTexts<typeof UPLOADS_TEXTS>>;

export function UploadList(props: {
  readonly byKey: Readonly<Record<string, UploadEntry>>;
  readonly chat: Readonly<Record<string, ChatUpload>>;
  readonly onClose: () => void;
}) {
  const text = useTexts(UPLOADS_TEXTS);
  const { uploads, chat } = useCore().commands;
  const panel = useRef<HTMLElement>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  useEffect(() => {
    panel.current?.focus();
  }, []);
  const ofCompany = Object.entries(props.byKey).map(([key, entry]) => ({
    key,
    entry,
    retry: (): Promise<unknown> => uploads.retry({ key }),
    cancel: (): Promise<unknown> => uploads.cancel({ key }),
    // The chat goes on with a paused one by itself.
    mayRetry: entry.state === "failed" || entry.state === "paused",
  }));
  const ofChat = Object.entries(props.chat).map(([id, upload]) => ({
    key: id,
    entry: chatEntry(upload),
    retry: (): Promise<unknown> => chat.resend({ chatId: upload.chatId, id }),
    cancel: (): Promise<unknown> => chat.cancel({ chatId: upload.chatId, id }),
    mayRetry: upload.state === "failed",
  }));
  const lines = [...ofCompany, ...ofChat].sort((a, b) => a.entry.at - b.entry.at);
  const isOver = ({ state }: UploadEntry): boolean => state === "done" || state === "failed";
  const act = (done: Promise<unknown>): void => {
    done.catch(showError);
    // The pressed button may go.
    panel.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") props.onClose();
  };
  return (
    <section
      ref={panel}
      className="header-panel upload-panel"
      role="dialog"
      aria-label={text("title")}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header>
        <h2>{text("title")}</h2>
        <Button
          type="text"
          size="small"
          disabled={!ofCompany.some(({ entry }) => isOver(entry))}
          onClick={() => act(uploads.clear({}))}
        >
          {text("clear")}
        </Button>
      </header>
      <ul>
        {lines.map(({ key, entry, retry, cancel, mayRetry }) => (
          <li key={key} data-state={entry.state}>
            <UploadLine entry={entry} text={text} />
            {mayRetry && (
              <Button
                type="text"
                size="small"
                icon={<IconRefresh />}
                aria-label={text("retry", { name: entry.name })}
                onClick={() => act(retry())}
              />
            )}
            <Button
              type="text"
              size="small"
              icon={<IconClose />}
              aria-label={text(isOver(entry) ? "remove" : "cancel", { name: entry.name })}
              onClick={() => act(cancel())}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function UploadLine({ entry, text }: { readonly entry: UploadEntry; readonly text: Text }) {
  const { name, sent, size, rate, state, error } = entry;
  const percent = Math.floor((100 * sent) / size);
  const about =
    error !== null
      ? errorText(AppError.fromWire(error))
      : rate > 0
        ? `${text(state)} · ${fileSize(rate)}/s`
        : text(state);
  return (
    <div className="upload-line">
      <span className="ellipsis" title={name} translate="no">
        {name}
      </span>
      {state !== "failed" && (
        <progress max={100} value={percent} aria-label={text("progress", { name })} />
      )}
      <span className="upload-about tnum">
        {fileSize(size)}
        {state === "failed" ? "" : ` · ${percent}%`} · {about}
      </span>
    </div>
  );
}
