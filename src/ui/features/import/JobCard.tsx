/** One import that the core sends: its progress and its actions. */
import { Button, Progress } from "@arco-design/web-react";
import type { Snapshot } from "valtio";
import { useTranslation } from "react-i18next";
import { Aria } from "../../components/Aria.tsx";
import { formatDuration } from "../../../shared/domain/format.ts";
import { AppError } from "../../../shared/errors.ts";
import type { ImportEntry } from "../../../shared/protocol/state.ts";
import { StateDot, type Tone } from "../../components/StateDot.tsx";
import { errorText } from "../../i18n/index.ts";
import { ask } from "../../state/ask.ts";
import { useCore } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";

const TONES: Readonly<Record<ImportEntry["state"], Tone>> = {
  staged: "warn",
  sending: "good",
  waiting: "warn",
  paused: "off",
  cancelling: "warn",
  cancelled: "off",
  failed: "bad",
  done: "good",
};
const over = (state: ImportEntry["state"]): boolean =>
  state === "done" || state === "cancelled" || state === "failed";

export function JobCard(props: {
  readonly job: Snapshot<ImportEntry>;
  readonly onDetail?: (jobId: string) => void;
}) {
  const { job } = props;
  const { t } = useTranslation();
  const { imports } = useCore().commands;
  const act = (command: "pause" | "resume" | "cancel" | "dismiss") => (): void => {
    imports[command]({ key: job.key }).catch(showError);
  };
  const cancel = (): void => {
    ask({
      title: t("imports.send.cancel"),
      content: t("imports.send.cancelAsk", { count: job.created + job.updated }),
      okText: t("common.ok"),
      cancelText: t("common.back"),
      onOk: act("cancel"),
    });
  };
  const dry = job.mode === "dry-run";
  const percent = job.rows === 0 ? 0 : Math.floor((job.sent / job.rows) * 100);
  const running = job.state === "sending" || job.state === "waiting" || job.state === "staged";
  return (
    <section className="panel import-job" data-import-state={job.state} aria-label={job.fileName}>
      <header>
        <h3 className="ellipsis" title={job.fileName}>
          {job.fileName}
        </h3>
        <StateDot tone={TONES[job.state]}>{t(`imports.send.state.${job.state}`)}</StateDot>
        <span className="import-hint">{t(`imports.map.${job.mode}`)}</span>
      </header>
      <Aria progress={t("imports.header.label")}>
        <Progress
          percent={percent}
          status={job.state === "failed" ? "error" : job.state === "done" ? "success" : "normal"}
        />
      </Aria>
      <p className="import-figures tnum">
        <span data-testid="import-sent">
          {t("imports.send.progress", {
            sent: job.sent.toLocaleString(),
            rows: job.rows.toLocaleString(),
          })}
        </span>
        <span>
          {job.already
            ? t("imports.send.already", { count: job.created })
            : t(dry ? "imports.send.wouldCreate" : "imports.send.created", { count: job.created })}
        </span>
        {job.mode === "update" && <span>{t("imports.send.updated", { count: job.updated })}</span>}
        {job.refused > 0 && (
          <span className="import-bad">{t("imports.send.refused", { count: job.refused })}</span>
        )}
        {/* last, because they come and go */}
        {job.rate !== null && running && (
          <span>{t("imports.send.rate", { rate: Math.round(job.rate).toLocaleString() })}</span>
        )}
        {job.left !== null && running && (
          <span>{t("imports.send.left", { time: formatDuration(job.left) })}</span>
        )}
      </p>
      {job.error !== null && (
        <p className="import-bad" role="alert">
          {errorText(AppError.fromWire(job.error))}
        </p>
      )}
      <div className="import-actions">
        {running && <Button onClick={act("pause")}>{t("imports.send.pause")}</Button>}
        {(job.state === "paused" || job.state === "failed") && (
          <Button type="primary" onClick={act("resume")}>
            {t("imports.send.resume")}
          </Button>
        )}
        {!over(job.state) && job.state !== "cancelling" && (
          <Button status="danger" onClick={cancel}>
            {t("imports.send.cancel")}
          </Button>
        )}
        {over(job.state) && <Button onClick={act("dismiss")}>{t("imports.send.dismiss")}</Button>}
        {job.jobId !== null &&
          (job.refused > 0 || job.isInvite) &&
          props.onDetail !== undefined && (
            <Button onClick={() => props.onDetail?.(job.jobId ?? "")}>
              {t("imports.jobs.detail")}
            </Button>
          )}
        {running && <span className="import-hint">{t("imports.send.mayClose")}</span>}
      </div>
    </section>
  );
}
