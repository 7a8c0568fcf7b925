/** Shown during a conference on other pages and on the lock screen: its name, the microphone button, and the way back. */
import { useTranslation } from "react-i18next";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { useLocation, useNavigate } from "react-router-dom";
import { HangupIcon, MicIcon, MicOffIcon, RestoreIcon } from "../../components/call-icons.tsx";
import { useSlice } from "../../state/services.ts";
import { CallTimer } from "../call-parts/CallTimer.tsx";
import { RoundButton } from "../call-parts/RoundButton.tsx";
import { controlsOf, microphoneLabel } from "../call-parts/own-devices.ts";
import { useDrag } from "../call-parts/useDrag.ts";
import { useConference } from "./useConference.ts";
import "../call/call.css";
import "../../i18n/conference-texts.ts";

const PAGE = "/im/conference";

export default function ConferencePill(props: {
  /** The console is locked, so there is no way to the page. */
  readonly locked: boolean;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { info, local, self, startedAt } = useSlice("conference");
  const actions = useConference();
  const dragged = useDrag();
  const { microphone } = controlsOf(local);
  if (pathname === PAGE && !props.locked) return null;
  return (
    <div
      {...dragged}
      className="pill"
      role="region"
      aria-label={info?.name ?? t("conference.title")}
    >
      <span className="pill-text">
        <strong className="ellipsis" translate="no">
          {info?.name}
        </strong>
        <CallTimer startedAt={startedAt} />
      </span>
      {self?.role !== CONFERENCE_ROLE.audience && (
        <RoundButton
          small
          tone={microphone.on ? "plain" : "on"}
          label={t(`conference.bar.${microphoneLabel(microphone)}`)}
          busy={microphone.asking}
          onClick={() => actions.setMuted(microphone.on)}
        >
          {microphone.on ? <MicIcon /> : <MicOffIcon />}
        </RoundButton>
      )}
      {!props.locked && (
        <RoundButton small label={t("conference.bar.restore")} onClick={() => void navigate(PAGE)}>
          <RestoreIcon />
        </RoundButton>
      )}
      <RoundButton
        small
        tone="bad"
        label={t("conference.bar.leave")}
        busy={actions.busy.has("exit")}
        onClick={() => actions.exit(false)}
      >
        <HangupIcon />
      </RoundButton>
    </div>
  );
}
