/** Says to everyone in the conference who records it. Who records sees time and size as well, and pauses or ends the recording here. */
import { IconPauseCircle, IconPlayCircle, IconRecordStop } from "@arco-design/web-react/icon";
import { useTranslation } from "react-i18next";
import { fileSize } from "../../../shared/domain/chat-files.ts";
import { formatDuration } from "../../../shared/domain/format.ts";
import { useNow, useSlice } from "../../state/services.ts";
import { useRecording } from "./useRecording.ts";
import { nameOf } from "./view.ts";

export function RecordingMark() {
  const { t, i18n } = useTranslation();
  const { members, self, recording } = useSlice("conference");
  const others = Object.values(members).filter(
    (member) => member.recording !== undefined && member.memId !== self?.memId,
  );
  const names = new Intl.ListFormat(i18n.language).format(others.map((one) => nameOf(one)));
  return (
    <>
      <span role="status" className="conference-recording-status">
        {others.length > 0 && (
          <span className="conference-recording">
            <i aria-hidden="true" />
            <span className="ellipsis">{t("conference.recording.by", { names })}</span>
          </span>
        )}
        {recording !== null && (
          <span className="visually-hidden">
            {t(`conference.recording.own.${recording.state === "paused" ? "paused" : "on"}`)}
          </span>
        )}
      </span>
      {recording !== null && <OwnRecording />}
    </>
  );
}

function OwnRecording() {
  const { t } = useTranslation();
  const { recording } = useSlice("conference");
  const actions = useRecording();
  const now = useNow(1000, recording?.since ?? 0);
  if (recording === null) return null;
  const { state, elapsed, since, bytes } = recording;
  const paused = state === "paused";
  const time = elapsed + (since === null ? 0 : Math.max(0, now - since));
  const pauseText = t(`conference.recording.${paused ? "resume" : "pause"}`);
  const stopText = t("conference.recording.stop");
  return (
    <span
      className="conference-recording"
      data-state={state}
      role="group"
      aria-label={t("conference.recording.label")}
    >
      <i aria-hidden="true" />
      <span>{t(`conference.recording.state.${state}`)}</span>
      <span className="tnum" translate="no" role="timer">
        {formatDuration(time)}
      </span>
      <span className="tnum conference-recording-size" translate="no">
        {fileSize(bytes)}
      </span>
      <button
        type="button"
        title={pauseText}
        aria-label={pauseText}
        disabled={actions.busy || state === "stopping"}
        onClick={() => actions.pause(!paused)}
      >
        {paused ? <IconPlayCircle /> : <IconPauseCircle />}
      </button>
      <button
        type="button"
        title={stopText}
        aria-label={stopText}
        disabled={actions.busy || state === "stopping"}
        onClick={actions.stop}
      >
        <IconRecordStop />
      </button>
    </span>
  );
}
