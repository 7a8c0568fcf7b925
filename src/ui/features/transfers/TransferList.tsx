/** Every upload and download of all tabs, below the header: how far, how fast, and what went wrong. */
import { Button } from "@arco-design/web-react";
import { IconClose, IconRefresh } from "@arco-design/web-react/icon";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { CoreCommands } from "../../../core-client/contracts.ts";
import { fileSize } from "../../../shared/domain/chat-files.ts";
import { AppError } from "../../../shared/errors.ts";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { isOver, percentOf, type TransferLine } from "./lines.ts";
import { TRANSFER_TEXTS } from "./texts.ts";

type Text = ReturnType<typeof useTexts<typeof TRANSFER_TEXTS>>;

interface Acts {
  readonly retry: () => Promise<unknown>;
  readonly cancel: () => Promise<unknown>;
  readonly mayRetry: boolean;
}
const actsOf = (line: TransferLine, { chat, uploads, downloads }: CoreCommands): Acts => {
  const { key, chatId, kind, state } = line;
  const hasStopped = state === "failed" || state === "paused";
  if (chatId !== null) {
    const message = { chatId, id: key };
    // The chat goes on with a paused one by itself.
    const mayRetry = state === "failed";
    return { retry: () => chat.resend(message), cancel: () => chat.cancel(message), mayRetry };
  }
  const queue = kind === "download" ? downloads : uploads;
  return {
    retry: () => queue.retry({ key }),
    cancel: () => queue.cancel({ key }),
    mayRetry: hasStopped,
  };
};

export function TransferList(props: {
  readonly title: string;
  readonly lines: readonly TransferLine[];
  readonly onClose: () => void;
}) {
  const { title, lines } = props;
  const text = useTexts(TRANSFER_TEXTS);
  const { commands } = useCore();
  const panel = useRef<HTMLElement>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  useEffect(() => {
    panel.current?.focus();
  }, []);
  const act = (done: Promise<unknown>): void => {
    done.catch(showError);
    // The pressed button may go.
    panel.current?.focus();
  };
  const clear = (): Promise<unknown> =>
    Promise.all([commands.uploads.clear({}), commands.downloads.clear({})]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") props.onClose();
  };
  return (
    <section
      ref={panel}
      className="header-panel transfer-panel"
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header>
        <h2>{title}</h2>
        <Button
          type="text"
          size="small"
          disabled={!lines.some((line) => line.kind !== "chat" && isOver(line))}
          onClick={() => act(clear())}
        >
          {text("clear")}
        </Button>
      </header>
      <ul>
        {lines.map((line) => {
          const { key, name, state } = line;
          const { retry, cancel, mayRetry } = actsOf(line, commands);
          const isDown = line.kind === "download";
          const end = isOver(line) ? "remove" : isDown ? "cancelDown" : "cancel";
          return (
            <li key={key} className="strip" data-state={state}>
              <LineFacts line={line} text={text} />
              {mayRetry && (
                <Button
                  type="text"
                  size="small"
                  icon={<IconRefresh />}
                  aria-label={text(isDown ? "retryDown" : "retry", { name })}
                  onClick={() => act(retry())}
                />
              )}
              <Button
                type="text"
                size="small"
                icon={<IconClose />}
                aria-label={text(end, { name })}
                onClick={() => act(cancel())}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What the states are called that uploads and downloads do not share. */
const WORDS = {
  up: { running: "uploading", done: "uploaded" },
  down: { running: "downloading", done: "downloaded" },
} as const;

function LineFacts({ line, text }: { readonly line: TransferLine; readonly text: Text }) {
  const { kind, name, moved, size, rate, state, error } = line;
  const isDown = kind === "download";
  const percent = percentOf(line);
  const words = WORDS[isDown ? "down" : "up"];
  const said = text(state === "running" || state === "done" ? words[state] : state);
  const about = error === null ? said : errorText(AppError.fromWire(error));
  const facts = [
    ...(size !== null ? [fileSize(size)] : moved > 0 ? [fileSize(moved)] : []),
    ...(state === "failed" || percent === null ? [] : [`${percent}%`]),
    about,
    ...(rate > 0 && error === null ? [`${fileSize(rate)}/s`] : []),
  ];
  return (
    <div className="transfer-line">
      <span className="ellipsis" title={name} translate="no">
        {name}
      </span>
      {state !== "failed" && (
        <progress
          max={100}
          {...(percent === null ? {} : { value: percent })}
          aria-label={text(isDown ? "progressDown" : "progress", { name })}
        />
      )}
      <span className="transfer-about tnum">{facts.join(" · ")}</span>
    </div>
  );
}
