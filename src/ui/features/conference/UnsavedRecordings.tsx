/** Recordings of this account that the browser keeps because nobody has saved them: the person left, or the browser ended. */
import { Alert, Button } from "@arco-design/web-react";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordingInfo } from "../../../rtc-main/index.ts";
import { useSlice } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { canRecord, useRecording } from "./useRecording.ts";

interface Found {
  readonly accountId: string | null;
  readonly list: readonly RecordingInfo[];
}

export function UnsavedRecordings() {
  const { t, i18n } = useTranslation();
  const { recordings, save, busy } = useRecording();
  const { accountId } = useSlice("session");
  /** With the account whose recordings they are, so that another one never sees them. */
  const [found, setFound] = useState<Found>({ accountId, list: [] });
  const look = useCallback(() => {
    if (!canRecord()) return;
    const show = (list: Found["list"]): void => setFound({ accountId, list });
    recordings.list().then(show, () => show([]));
  }, [accountId, recordings]);
  useEffect(look, [look]);
  const gone = (id: string): void =>
    setFound((now) => ({ ...now, list: now.list.filter((one) => one.id !== id) }));
  const discard = (id: string): void => {
    recordings.discard(id).then(() => gone(id), showError);
  };
  const list = found.accountId === accountId ? found.list : [];
  return list.map(({ id, name, startedAt }) => (
    <Alert
      key={id}
      type="info"
      content={t("conference.recording.unsaved", {
        name,
        time: new Date(startedAt).toLocaleString(i18n.language),
      })}
      action={
        <span className="conference-unsaved">
          <Button
            size="mini"
            type="primary"
            loading={busy}
            onClick={() => void save(id).then((done) => done && gone(id))}
          >
            {t("conference.recording.save")}
          </Button>
          <Button size="mini" disabled={busy} onClick={() => discard(id)}>
            {t("conference.recording.discard")}
          </Button>
        </span>
      }
    />
  ));
}
