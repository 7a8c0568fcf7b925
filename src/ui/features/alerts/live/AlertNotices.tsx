import "@arco-design/web-react/es/_util/react-19-adapter";
import { Button, Notification } from "@arco-design/web-react";
import "@arco-design/web-react/es/Notification/style/css.js";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import {
  alertLevelWord,
  alertRuleTitle,
  alertSubjectWord,
} from "../../../../shared/domain/alert-texts.ts";
import { currentLanguage } from "../../../i18n/index.ts";
import { texts, useTexts } from "../../../i18n/texts.ts";
import { useCore, useFrozenSlice, useLocked, useSlice } from "../../../state/services.ts";
import { NOTICES_MAX, noticesToShow } from "./notices.ts";
import { createReadingTime, type ReadingTime } from "./reading-time.ts";
import "./live.css";

const TEXTS = texts({
  view: ["查看", "View"],
  all: ["查看全部", "View all"],
  more: ["还有 {{count}} 条告警", "{{count}} more {count|alert|alerts}"],
});
const MORE = "alerts-more";
/** A notice that the person is at. */
const HELD = ".alert-notice:is(:hover, :focus-within)";
const idOf = (key: string): string => `alert-${key}`;

/** Renders nothing itself, because Arco shows its notices outside of the page. */
export default function AlertNotices(props: {
  /** Keys of alerts that this tab does not show, because they were open when the tab opened. */
  readonly before: readonly string[];
}): null {
  const { byKey } = useFrozenSlice("alerts");
  const { supplierId } = useSlice("session");
  const locked = useLocked();
  const alerts = locked ? [] : noticesToShow(Object.values(byKey), supplierId, props.before);
  const text = useTexts(TEXTS);
  useTranslation();
  const language = currentLanguage();
  const core = useCore();
  const navigate = useNavigate();
  /** The notices that stand there by id. */
  const standing = useRef(new Map<string, { readonly says: string; readonly close: () => void }>());
  const reading = useRef<ReadingTime | null>(null);

  useEffect(() => {
    const all = standing.current;
    const time = createReadingTime({
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
      isVisible: () => document.visibilityState === "visible",
      onVisibility(changed) {
        document.addEventListener("visibilitychange", changed);
        return () => document.removeEventListener("visibilitychange", changed);
      },
      isHeld: () => document.querySelector(HELD) !== null,
      onRead(id) {
        const notice = all.get(id);
        Notification.remove(id);
        notice?.close();
      },
    });
    reading.current = time;
    return () => {
      time.stop();
      for (const id of all.keys()) Notification.remove(id);
      all.clear();
    };
  }, []);

  useEffect(() => {
    const show = (
      id: string,
      style: "error" | "warning" | "info",
      words: { readonly title: string; readonly content: string; readonly button: string },
      to: string,
      onClose: () => void,
    ): void => {
      const says = JSON.stringify(words);
      if (standing.current.get(id)?.says === says) return;
      const close = (): void => {
        reading.current?.end(id);
        // Arco says so as well when this page takes the notice away.
        if (standing.current.delete(id)) onClose();
      };
      standing.current.set(id, { says, close });
      reading.current?.begin(id);
      const open = (): void => {
        onClose();
        void navigate(to);
      };
      Notification[style]({
        id,
        className: "alert-notice",
        title: words.title,
        content: words.content,
        duration: 0,
        closable: true,
        btn: (
          <Button size="small" type="primary" data-call="alerts.open" onClick={open}>
            {words.button}
          </Button>
        ),
        onClose: close,
      });
    };
    const first = alerts.slice(0, NOTICES_MAX);
    const rest = alerts.length - first.length;
    const wanted = new Set([...first.map(({ key }) => idOf(key)), ...(rest > 0 ? [MORE] : [])]);
    for (const id of standing.current.keys()) {
      if (wanted.has(id)) continue;
      reading.current?.end(id);
      standing.current.delete(id);
      Notification.remove(id);
    }
    for (const alert of first) {
      const { key, level, subject, companyName } = alert;
      const content = [alertSubjectWord(subject, language), companyName].filter(
        (one) => one !== "",
      );
      show(
        idOf(key),
        level === "critical" ? "error" : "warning",
        {
          title: `${alertLevelWord(level, language)} · ${alertRuleTitle(alert, language)}`,
          content: content.join(" · "),
          button: text("view"),
        },
        `/monitor/alerts?alert=${encodeURIComponent(key)}`,
        // A core that is gone has no notice any more.
        () => void core.commands.alerts.dismiss({ key }).catch(() => undefined),
      );
    }
    if (rest > 0) {
      const words = { title: text("more", { count: rest }), content: "", button: text("all") };
      show(MORE, "info", words, "/monitor/alerts", () => {
        for (const { key } of alerts.slice(NOTICES_MAX)) {
          core.commands.alerts.dismiss({ key }).catch(() => undefined);
        }
      });
    }
  });
  return null;
}
