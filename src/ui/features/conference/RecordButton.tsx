import { IconRecord, IconRecordStop } from "@arco-design/web-react/icon";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { useTranslation } from "react-i18next";
import { useSlice } from "../../state/services.ts";
import { RoundButton } from "../call-parts/RoundButton.tsx";
import { canRecord, useRecording } from "./useRecording.ts";

/** Begins the recording of the conference, and ends it. Absent for those who may not record, and where the browser cannot. */
export function RecordButton() {
  const { t } = useTranslation();
  const { self, recording } = useSlice("conference");
  const actions = useRecording();
  if (self?.role === CONFERENCE_ROLE.audience || !canRecord()) return null;
  const on = recording !== null;
  return (
    <RoundButton
      caption
      tone={on ? "on" : "plain"}
      label={t(on ? "conference.recording.stop" : "conference.recording.start")}
      busy={actions.busy || recording?.state === "stopping"}
      onClick={on ? actions.stop : actions.start}
    >
      {on ? <IconRecordStop /> : <IconRecord />}
    </RoundButton>
  );
}
