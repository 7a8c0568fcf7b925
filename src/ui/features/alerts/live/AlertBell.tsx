/** The number of open alerts in the header, for who may see them. Without any there is nothing. */
import { Button } from "@arco-design/web-react";
import { IconExclamationCircle } from "@arco-design/web-react/icon";
import { useNavigate } from "react-router-dom";
import { CountBadge } from "../../../components/Badge.tsx";
import { texts, useTexts } from "../../../i18n/texts.ts";
import { useRead } from "../../../state/useRead.ts";
import "./live.css";

const TEXTS = texts({
  title: ["告警", "Alerts"],
  open: ["{{count}} 条未恢复的告警", "{{count}} open {count|alert|alerts}"],
});

export default function AlertBell() {
  const text = useTexts(TEXTS);
  const navigate = useNavigate();
  const { answer } = useRead({ call: "alerts.open" });
  if (answer.state !== "ready") return null;
  const { warning, critical } = answer.data;
  const count = warning + critical;
  if (count === 0) return null;
  return (
    <Button
      type="text"
      className="header-icon alert-bell"
      data-call="alerts.open"
      data-level={critical > 0 ? "critical" : "warning"}
      aria-label={text("open", { count })}
      title={text("title")}
      icon={
        <span className="alert-bell-mark">
          <IconExclamationCircle />
          <CountBadge count={count} />
        </span>
      }
      onClick={() => void navigate("/monitor/alerts")}
    />
  );
}
