/** Batch import of employees: file, columns, check, import; beneath it what was imported. */
import { Alert, Button, Steps } from "@arco-design/web-react";
import { IconFile } from "@arco-design/web-react/icon";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AskToLeave, useLeaveGuard } from "../../components/LeaveGuard.tsx";
import { useLeaveWarning } from "../../components/useLeaveWarning.ts";
import type { ErrorCode } from "../../../shared/errors.ts";
import { errorText } from "../../i18n/index.ts";
import { ask } from "../../state/ask.ts";
import { useMay } from "../../state/may.ts";
import { renew, useCore, useSlice } from "../../state/services.ts";
import { CheckStep } from "./CheckStep.tsx";
import { FileStep } from "./FileStep.tsx";
import { JobCard } from "./JobCard.tsx";
import { JobDetail } from "./JobDetail.tsx";
import { JobsPanel } from "./JobsPanel.tsx";
import { MapStep } from "./MapStep.tsx";
import type { ImportModel } from "./model-contracts.ts";
import type { Step } from "./model-state.ts";
import { useImportModel, useImportView } from "./useImportModel.ts";
import "./arco.ts";
import "../../components/table.css";
import { useTexts } from "../../i18n/texts.ts";
import { IMPORT_TEXTS } from "./texts.ts";
import "./import.css";

const STEPS: readonly Step[] = ["file", "map", "check", "send"];

export function ImportPage({ isInvite }: { readonly isInvite: boolean }) {
  const { t } = useTranslation();
  const may = useMay();
  if (!may("imports.create")) {
    return (
      <div className="panel import-denied">
        <strong>{t("imports.file.denied")}</strong>
        <span className="import-hint">{t("imports.file.deniedHint")}</span>
      </div>
    );
  }
  return <Wizard isInvite={isInvite} />;
}

/** ms between two questions whether the server is back. */
const BACK_EVERY = 3_000;

/** What helps when a script of the import is missing (docs/shell.md#a-missing-script). */
function WayOn({ model, code }: { readonly model: ImportModel; readonly code: ErrorCode }) {
  const { t } = useTranslation();
  const { look } = useCore();
  const down = code === "server.unreachable";
  useEffect(() => {
    if (!down) return undefined;
    const timer = setInterval(() => {
      void look().then((deployed) => {
        if (deployed !== "unreachable") model.again();
      });
    }, BACK_EVERY);
    return () => clearInterval(timer);
  }, [down, look, model]);
  if (code === "code.replaced") {
    return (
      <Button type="primary" size="small" onClick={renew}>
        {t("coreState.renew")}
      </Button>
    );
  }
  if (!down && code !== "server.unavailable" && code !== "core.gone") return null;
  return (
    <Button size="small" onClick={model.again}>
      {t("common.retry")}
    </Button>
  );
}

function Wizard({ isInvite }: { readonly isInvite: boolean }) {
  const { t } = useTranslation();
  const text = useTexts(IMPORT_TEXTS);
  const model = useImportModel(isInvite);
  const view = useImportView(model);
  const { step, error, loaded, key, fileName, corrections, kept } = view;
  const { byKey } = useSlice("imports");
  const { supplierId } = useSlice("session");
  const [detail, setDetail] = useState<{ jobId: string; isInvite: boolean } | null>(null);
  const jobs = Object.values(byKey).filter((job) => job.supplierId === supplierId);
  const unsent = (step === "check" || step === "map") && loaded !== null;
  useLeaveWarning(unsent || view.busy !== null, kept);
  const count = unsent ? corrections.length : 0;
  const asks = useMemo(
    (): AskToLeave | null =>
      count === 0
        ? null
        : (go) =>
            ask({
              title: t("common.hint"),
              content: text("leaveAsk", { count }),
              okText: text("leave"),
              cancelText: text("stay"),
              onOk: go,
            }),
    [count, t, text],
  );
  useLeaveGuard(asks);
  return (
    <div className="import-page">
      <section className="panel import-wizard" {...(kept ? { "data-kept": "" } : {})}>
        <header className="import-header">
          <h1>{t(isInvite ? "imports.titleInvite" : "imports.title")}</h1>
          <p className="import-hint">{t(isInvite ? "imports.introInvite" : "imports.intro")}</p>
        </header>
        <Steps current={STEPS.indexOf(step) + 1} size="small" className="import-steps">
          {STEPS.map((one) => (
            <Steps.Step key={one} title={t(`imports.steps.${one}`)} />
          ))}
        </Steps>
        {(step === "map" || step === "check") && (
          <p className="import-which ellipsis">
            <IconFile aria-hidden="true" /> <strong title={fileName}>{fileName}</strong>
          </p>
        )}
        {error !== null && (
          <Alert
            type="error"
            closable={false}
            content={
              <span data-testid="import-error" role="alert">
                {errorText(error)}
              </span>
            }
            action={<WayOn model={model} code={error.code} />}
          />
        )}
        {view.restored && (step === "map" || step === "check") && (
          <p className="form-restored" role="status">
            {t("imports.restored")}
            <Button size="mini" type="text" onClick={model.reset}>
              {t("imports.restart")}
            </Button>
          </p>
        )}
        {step === "file" && <FileStep model={model} />}
        {step === "map" && <MapStep model={model} />}
        {step === "check" && <CheckStep model={model} />}
        {step === "send" && (
          <div className="import-sent">
            {key !== null && byKey[key] !== undefined && (
              <JobCard job={byKey[key]} onDetail={(jobId) => setDetail({ jobId, isInvite })} />
            )}
            <div className="import-actions">
              <Button type="primary" onClick={model.reset}>
                {t("imports.send.another")}
              </Button>
            </div>
          </div>
        )}
      </section>
      {jobs
        .filter((job) => step !== "send" || job.key !== key)
        .map((job) => (
          <JobCard
            key={job.key}
            job={job}
            onDetail={(jobId) => setDetail({ jobId, isInvite: job.isInvite })}
          />
        ))}
      {/* Beside a file in work it would only jump with each step. */}
      {(step === "file" || step === "send") && <JobsPanel />}
      {detail !== null && (
        <JobDetail
          jobId={detail.jobId}
          isInvite={detail.isInvite}
          onClose={() => setDetail(null)}
        />
      )}
    </div>
  );
}
