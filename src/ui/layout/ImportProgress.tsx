/** Progress of running imports in every tab's header; a click opens the import page. */
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { useSlice } from "../state/services.ts";
import { ImportRing } from "./ImportRing.tsx";

const SHOWN = new Set(["staged", "sending", "waiting", "paused", "cancelling", "failed"]);

export default function ImportProgress() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { byKey } = useSlice("imports");
  const { supplierId } = useSlice("session");
  const jobs = Object.values(byKey).filter(
    (job) => SHOWN.has(job.state) && job.supplierId === supplierId,
  );
  const [first] = jobs;
  if (first === undefined) return null;
  const rows = jobs.reduce((sum, job) => sum + job.rows, 0);
  const sent = jobs.reduce((sum, job) => sum + job.sent, 0);
  const percent = rows === 0 ? 0 : Math.floor((sent / rows) * 100);
  const failed = jobs.some((job) => job.state === "failed");
  const text = failed
    ? t("imports.header.failed")
    : jobs.every((job) => job.state === "paused")
      ? t("imports.header.paused")
      : t("imports.header.running", { percent });
  return (
    <button
      type="button"
      className="header-import"
      aria-label={`${t("imports.header.label")}: ${text}`}
      onClick={() =>
        void navigate(first.isInvite ? "/DataBatchImport/index" : "/DataBatchImport2/index")
      }
    >
      <ImportRing percent={percent} failed={failed} />
      <span className="tnum">{text}</span>
    </button>
  );
}
