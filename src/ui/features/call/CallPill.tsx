/** The minimised call; it leaves the page usable. */
import { useTranslation } from "react-i18next";
import { Avatar } from "../../components/Avatar.tsx";
import { HangupIcon, MicIcon, MicOffIcon, RestoreIcon } from "../../components/call-icons.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { CallTimer } from "../call-parts/CallTimer.tsx";
import { stageText, useCallWindow } from "../call-parts/call-window.tsx";
import { microphoneOf } from "./own-devices.ts";
import { RoundButton } from "../call-parts/RoundButton.tsx";
import { CALL_WINDOW_TEXTS } from "../call-parts/texts.ts";
import { useDrag } from "../call-parts/useDrag.ts";
import { useCallActions } from "./useCallActions.ts";
import "./call.css";
import { usePeerName } from "./usePeerName.ts";

export default function CallPill() {
  const { t } = useTranslation();
  const call = useSlice("call");
  const actions = useCallActions();
  const { setLarge } = useCallWindow();
  const dragged = useDrag();
  const name = usePeerName();
  const text = useTexts(CALL_WINDOW_TEXTS);
  const microphone = microphoneOf(call.local);
  return (
    <div {...dragged} className="pill" role="region" aria-label={t("call.window", { name })}>
      <Avatar name={name} person={call.peer?.userName} size={36} />
      <span className="pill-text">
        <strong className="ellipsis" translate="no">
          {name}
        </strong>
        {call.status === "chat" ? (
          <CallTimer startedAt={call.startedAt} />
        ) : (
          <span>{t(stageText(call.status))}</span>
        )}
      </span>
      <RoundButton
        small
        tone={microphone.on ? "plain" : "on"}
        label={
          microphone.gone ? text("microphoneOn") : t(microphone.on ? "call.mute" : "call.unmute")
        }
        disabled={!microphone.usable}
        onClick={() => actions.setMuted(microphone.on)}
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
        busy={actions.busy === "hangup"}
        onClick={actions.hangup}
      >
        <HangupIcon />
      </RoundButton>
    </div>
  );
}
