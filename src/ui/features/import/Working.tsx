/** The running work with its numbers, and a button to stop it. */
import { Button, Progress } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { Aria } from "../../components/Aria.tsx";
import type { ReadProgress } from "../../../shared/protocol/import-worker.ts";

export function Working(props: { readonly progress: ReadProgress; readonly onStop: () => void }) {
  const { t } = useTranslation();
  const { phase, rows, part } = props.progress;
  const name = t(`imports.phase.${phase}`);
  return (
    <div className="import-working" role="status" aria-live="polite">
      <span>{name}</span>
      {part !== null && (
        <Aria progress={name}>
          <Progress percent={Math.round(part * 100)} size="small" className="import-bar" />
        </Aria>
      )}
      <span className="tnum">{t("imports.rowsOf", { rows: rows.toLocaleString() })}</span>
      <Button size="small" onClick={props.onStop}>
        {t("imports.cancelWork")}
      </Button>
    </div>
  );
}
