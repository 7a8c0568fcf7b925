/** What stands between the messages of the list: date lines, times, and why messages could not be loaded. */
import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { formatDate } from "../../../../shared/domain/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useServerNow } from "../../../state/services.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { dayWord } from "./rows.ts";

/** Why a page could not be loaded. */
export function LoadFailed(props: { readonly failed: string | null; readonly retry: () => void }) {
  const { t } = useTranslation();
  if (props.failed === null) return null;
  return (
    <div className="messages-note" role="alert">
      {props.failed}
      <Button size="mini" onClick={props.retry}>
        {t("common.retry")}
      </Button>
    </div>
  );
}

/** A date line, or the time after a pause. */
export function Mark({ kind, time }: { readonly kind: "day" | "time"; readonly time: number }) {
  const { i18n } = useTranslation();
  const text = useTexts(CHAT_TEXTS);
  const now = useServerNow(60_000);
  const clock = formatDate(time, "{h}:{i}");
  const word = dayWord(time, now);
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const date = new Intl.DateTimeFormat(i18n.language, {
    ...(sameYear ? {} : { year: "numeric" }),
    month: "long",
    day: "numeric",
    weekday: "long",
  });
  return (
    <li className={kind === "day" ? "message-day" : "message-time"}>
      <time dateTime={new Date(time).toISOString()}>
        {kind === "day" && `${word === null ? date.format(time) : text(word)} `}
        {clock}
      </time>
    </li>
  );
}
