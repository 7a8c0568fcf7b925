/** The newest bulletins, below the bell. */
import { Button } from "@arco-design/web-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../core-client/contracts.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { BULLETIN_TEXTS } from "./texts.ts";

export default function BulletinList(props: {
  readonly answer: Answer<PageCallData<"bulletins.top">>;
  readonly onOpen: (noticeId: string) => void;
  readonly onRetry: () => void;
  readonly onClose: () => void;
  /** Shows further ones; null when the list is as long as it may be. */
  readonly more: (() => void) | null;
}) {
  const { answer, more } = props;
  const { t } = useTranslation();
  const text = useTexts(BULLETIN_TEXTS);
  const { rest } = useCore().commands;
  const panel = useRef<HTMLElement>(null);
  useFocusBack(() => null);
  useEffect(() => {
    panel.current?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") props.onClose();
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const entries = [...(panel.current?.querySelectorAll<HTMLElement>(".bulletin-entry") ?? [])];
    const at = entries.findIndex((entry) => entry === document.activeElement);
    entries[
      Math.min(entries.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1)))
    ]?.focus();
  };
  const ready = answer.state === "ready" ? answer.data : null;
  return (
    <section
      ref={panel}
      className="header-panel"
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
          disabled={ready === null || ready.unread === 0}
          onClick={() => void rest.call({ call: "bulletins.markRead", body: {} }).catch(showError)}
        >
          {text("readAll")}
        </Button>
      </header>
      {ready === null && (
        <p className="bulletin-none" role="status">
          {answer.state === "loading" ? t("common.loading") : text("failed")}
          {answer.state === "failed" && (
            <Button size="small" onClick={props.onRetry}>
              {text("retry")}
            </Button>
          )}
        </p>
      )}
      {ready?.records.length === 0 && <p className="bulletin-none">{text("empty")}</p>}
      <ul>
        {ready?.records.map(
          ({ noticeId, noticeTitle, noticeType, createBy, publishTime, read }) => (
            <li key={noticeId}>
              <button
                type="button"
                className="bulletin-entry"
                data-unread={!read}
                onClick={() => props.onOpen(noticeId)}
              >
                <span className="bulletin-title ellipsis">
                  {!read && <span className="visually-hidden">{text("unread")} </span>}
                  {noticeTitle}
                </span>
                <span className="bulletin-about ellipsis tnum">
                  {text(noticeType === "1" ? "notice" : "announcement")} · {createBy} ·{" "}
                  {formatDate(Date.parse(publishTime), "{y}-{m}-{d} {h}:{i}")}
                </span>
              </button>
            </li>
          ),
        )}
      </ul>
      {ready !== null && ready.records.length < ready.total && more !== null && (
        <Button type="text" long onClick={more}>
          {text("more")}
        </Button>
      )}
    </section>
  );
}
