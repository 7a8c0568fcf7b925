/** The gestures of the own recording, and the files that it leaves (docs/conferences.md#recording). */
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { browserRecordings, type Recordings } from "../../../rtc-main/index.ts";
import { fileSize } from "../../../shared/domain/chat-files.ts";
import { useCore } from "../../state/services.ts";
import { showError, showMessage } from "../../state/show-message.ts";

export interface RecordingActions {
  readonly busy: boolean;
  start(): void;
  pause(on: boolean): void;
  /** Ends the recording and downloads it. */
  stop(): void;
  /** @returns whether the file was made */
  save(id: string): Promise<boolean>;
  readonly recordings: Recordings;
}

export const canRecord = (): boolean => typeof MediaRecorder !== "undefined";

export function useRecording(): RecordingActions {
  const { t } = useTranslation();
  const core = useCore();
  const { conference } = core.commands;
  const [busy, setBusy] = useState(false);
  const recordings = useMemo(() => browserRecordings(() => core.state.session.accountId), [core]);
  const run = useCallback(async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      return true;
    } catch (error) {
      showError(error);
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return useMemo(() => {
    const save = (id: string): Promise<boolean> =>
      run(async () => {
        const { name, bytes } = await recordings.save(id);
        showMessage("success", t("conference.recording.saved", { name, size: fileSize(bytes) }));
      });
    return {
      busy,
      recordings,
      save,
      start: () => void run(() => conference.record({})),
      pause: (on) => void run(() => conference.pauseRecording({ on })),
      stop: () =>
        void run(async () => {
          const { id } = await conference.stopRecording({});
          await save(id);
        }),
    };
  }, [busy, conference, recordings, run, t]);
}
