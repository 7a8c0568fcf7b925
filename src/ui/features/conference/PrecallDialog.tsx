/** Checks devices and network before a conference and shows each result. */
import { Button, Modal, Spin } from "@arco-design/web-react";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { addressOf } from "../../../core-client/base-path.ts";
import { runPrecallChecks, type PrecallCheck } from "../../../rtc-main/index.ts";
import { StateDot } from "../../components/StateDot.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { currentLanguage } from "../../i18n/index.ts";

const TONE = { ok: "good", warn: "warn", fail: "bad" } as const;

export function PrecallDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  useFocusBack(() => null);
  const [checks, setChecks] = useState<readonly PrecallCheck[]>([]);
  const [done, setDone] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    runPrecallChecks({
      server: addressOf(""),
      signal: abort.signal,
      onCheck: (check) => {
        if (!abort.signal.aborted) {
          setChecks((before) => [...before.filter((one) => one.id !== check.id), check]);
        }
      },
    })
      .catch(() => undefined)
      .finally(() => {
        if (!abort.signal.aborted) setDone(true);
      });
    return () => abort.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt runs the checks again
  }, [attempt]);
  const again = useCallback(() => {
    setChecks([]);
    setDone(false);
    setAttempt((n) => n + 1);
  }, []);
  const bad = checks.some((one) => one.result === "fail");
  const english = currentLanguage() === "en";
  return (
    <Modal
      visible
      title={t("conference.precall.title")}
      onCancel={onClose}
      unmountOnExit
      footer={
        <>
          <Button onClick={again} disabled={!done}>
            {t("conference.precall.again")}
          </Button>
          <Button type="primary" onClick={onClose}>
            {t("common.close")}
          </Button>
        </>
      }
    >
      <ul className="conference-checks" aria-busy={!done}>
        {checks.map((check) => (
          <li key={check.id} data-check={check.id} data-result={check.result}>
            <span>
              <strong>{english ? check.name.en : check.name.zh}</strong>
              <small>{english ? check.text.en : check.text.zh}</small>
            </span>
            <StateDot tone={TONE[check.result]}>{t(`conference.precall.${check.result}`)}</StateDot>
          </li>
        ))}
      </ul>
      <p role="status" className="conference-hint">
        {!done ? (
          <>
            <Spin size={14} /> {t("conference.precall.running")}
          </>
        ) : (
          t(bad ? "conference.precall.someBad" : "conference.precall.allGood")
        )}
      </p>
    </Modal>
  );
}
