/** Somebody rings this person for a group call. */
import { useTranslation } from "react-i18next";
import { Avatar } from "../../components/Avatar.tsx";
import { CameraIcon, HangupIcon, PhoneIcon } from "../../components/call-icons.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { RoundButton } from "../call-parts/RoundButton.tsx";
import { useDialogFocus } from "../call-parts/useDialogFocus.ts";
import { GROUP_CALL_TEXTS } from "./texts.ts";
import { useGroupCall } from "./useGroupCall.ts";
import { useGroupCallName } from "./call-name.ts";
import "../call/call.css";
import "./group-call.css";

export default function GroupRing() {
  const { t } = useTranslation();
  const text = useTexts(GROUP_CALL_TEXTS);
  const { info } = useSlice("groupCall");
  const name = useGroupCallName();
  const actions = useGroupCall();
  const dialog = useDialogFocus();
  const video = info?.media === "video";
  const from = info?.fromName ?? "";
  return (
    <div className="call-mask">
      <div
        ref={dialog}
        className="ring"
        role="alertdialog"
        aria-modal="true"
        aria-labelledby="ring-name"
        aria-describedby="ring-text"
        data-status="ringing"
        tabIndex={-1}
      >
        <div className="ring-kind">
          {video ? <CameraIcon /> : <PhoneIcon />}
          {text(video ? "video" : "voice")}
        </div>
        <div className="ring-avatar">
          <Avatar name={from} size={88} />
        </div>
        <h2 id="ring-name" className="ellipsis">
          {from}
        </h2>
        <p id="ring-text" aria-live="polite">
          {text("ringsHere")}
          {name !== from && (
            <span className="gcall-ring-group ellipsis">{text("inGroup", { group: name })}</span>
          )}
        </p>
        <div className="ring-actions">
          <RoundButton
            tone="bad"
            label={t("call.refuse")}
            busy={actions.busy.has("refuse")}
            onClick={actions.refuse}
            caption
          >
            <HangupIcon />
          </RoundButton>
          <RoundButton
            tone="good"
            label={t("call.answer")}
            busy={actions.busy.has("answer")}
            onClick={actions.answer}
            caption
          >
            {video ? <CameraIcon /> : <PhoneIcon />}
          </RoundButton>
        </div>
      </div>
    </div>
  );
}
