/** The minimised group call; it leaves the page usable. */
import { useTranslation } from "react-i18next";
import {
  CameraIcon,
  HangupIcon,
  MicIcon,
  MicOffIcon,
  PhoneIcon,
  RestoreIcon,
} from "../../components/call-icons.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { CallTimer } from "../call-parts/CallTimer.tsx";
import { RoundButton } from "../call-parts/RoundButton.tsx";
import { controlsOf, microphoneLabel } from "../call-parts/own-devices.ts";
import { useDrag } from "../call-parts/useDrag.ts";
import { useConference } from "../conference/useConference.ts";
import { GROUP_CALL_TEXTS } from "./texts.ts";
import { useGroupCall } from "./useGroupCall.ts";
import { useGroupCallName } from "./call-name.ts";
import { useGroupCallWindow } from "./window.ts";
import "../call/call.css";
import "./group-call.css";
import "../../i18n/conference-texts.ts";

export default function GroupCallPill() {
  const { t } = useTranslation();
  const text = useTexts(GROUP_CALL_TEXTS);
  const { info, startedAt } = useSlice("groupCall");
  const { local, members } = useSlice("conference");
  const { setLarge } = useGroupCallWindow();
  const actions = useGroupCall();
  const conference = useConference();
  const name = useGroupCallName();
  const dragged = useDrag();
  const { microphone } = controlsOf(local);
  const count = Object.keys(members).length;
  return (
    <div {...dragged} className="pill" role="region" aria-label={text("window", { name })}>
      <span className="gcall-pill-kind" aria-hidden="true">
        {info?.media === "video" ? <CameraIcon /> : <PhoneIcon />}
      </span>
      <span className="pill-text">
        <strong className="ellipsis" translate="no">
          {name}
        </strong>
        <span className="gcall-pill-state">
          <CallTimer startedAt={startedAt} />
          {count > 0 && <span>{text("people", { count })}</span>}
        </span>
      </span>
      <RoundButton
        small
        tone={microphone.on ? "plain" : "on"}
        label={t(`conference.bar.${microphoneLabel(microphone)}`)}
        busy={microphone.asking}
        onClick={() => conference.setMuted(microphone.on)}
      >
        {microphone.on ? <MicIcon /> : <MicOffIcon />}
      </RoundButton>
      <RoundButton small label={t("call.restore")} onClick={() => setLarge(true)}>
        <RestoreIcon />
      </RoundButton>
      <RoundButton
        small
        tone="bad"
        label={t("call.hangup")}
        busy={actions.busy.has("leave")}
        onClick={actions.leave}
      >
        <HangupIcon />
      </RoundButton>
    </div>
  );
}
