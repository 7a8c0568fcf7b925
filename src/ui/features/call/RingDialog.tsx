/** Before the call: an incoming ring, or waiting for the other side. */
import { useTranslation } from "react-i18next";
import { Avatar } from "../../components/Avatar.tsx";
import { CameraIcon, HangupIcon, PhoneIcon } from "../../components/call-icons.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { stageText } from "../call-parts/call-window.tsx";
import { RoundButton } from "../call-parts/RoundButton.tsx";
import { CALL_WINDOW_TEXTS } from "../call-parts/texts.ts";
import { useCallActions } from "./useCallActions.ts";
import { useDialogFocus } from "../call-parts/useDialogFocus.ts";
import "./call.css";
import { usePeerName } from "./usePeerName.ts";

export default function RingDialog() {
  const { t } = useTranslation();
  const { status, info, peer } = useSlice("call");
  const actions = useCallActions();
  const dialog = useDialogFocus();
  const name = usePeerName();
  const video = info?.media === "video";
  const ringing = status === "confirmRing";
  const windowText = useTexts(CALL_WINDOW_TEXTS);
  const { online } = useSlice("chat");
  // Nobody has confirmed the ring yet, and presence says why.
  const offline = status === "sendRing" && peer !== null && online[peer.userName] === false;
  const outgoing = offline ? windowText("peerOffline") : t(stageText(status));
  const text = ringing ? t(video ? "call.incomingVideo" : "call.incomingVoice") : outgoing;
  return (
    <div className="call-mask">
      <div
        ref={dialog}
        className="ring"
        role={ringing ? "alertdialog" : "dialog"}
        aria-modal="true"
        aria-labelledby="ring-name"
        aria-describedby="ring-text"
        data-status={status}
        tabIndex={-1}
      >
        <div className="ring-kind">
          {video ? <CameraIcon /> : <PhoneIcon />}
          {t(video ? "people.video" : "people.voice")}
        </div>
        <div className="ring-avatar">
          <Avatar name={name} person={peer?.userName} size={88} />
        </div>
        <h2 id="ring-name" className="ellipsis" translate="no">
          {name}
        </h2>
        <p id="ring-text" aria-live="polite">
          {text}
        </p>
        <div className="ring-actions">
          {ringing ? (
            <>
              <RoundButton
                tone="bad"
                label={t("call.refuse")}
                busy={actions.busy === "refuse"}
                onClick={actions.refuse}
                caption
              >
                <HangupIcon />
              </RoundButton>
              <RoundButton
                tone="good"
                label={t("call.answer")}
                busy={actions.busy === "answer"}
                onClick={actions.answer}
                caption
              >
                {video ? <CameraIcon /> : <PhoneIcon />}
              </RoundButton>
            </>
          ) : (
            <RoundButton
              tone="bad"
              label={t("call.hangup")}
              busy={actions.busy === "hangup"}
              onClick={actions.hangup}
              caption
            >
              <HangupIcon />
            </RoundButton>
          )}
        </div>
      </div>
    </div>
  );
}
