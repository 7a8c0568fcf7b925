/** The controls of a group call. */
import { IconDesktop, IconUserAdd } from "@arco-design/web-react/icon";
import { useTranslation } from "react-i18next";
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import {
  CameraIcon,
  CameraOffIcon,
  HangupIcon,
  MicIcon,
  MicOffIcon,
} from "../../components/call-icons.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useLocked, useSlice } from "../../state/services.ts";
import { RoundButton } from "../call-parts/RoundButton.tsx";
import { controlsOf, microphoneLabel } from "../call-parts/own-devices.ts";
import type { ConferenceActions } from "../conference/useConference.ts";
import { GROUP_CALL_TEXTS } from "./texts.ts";
import type { GroupCallActions } from "./useGroupCall.ts";

export function Controls(props: {
  readonly actions: GroupCallActions;
  readonly conference: ConferenceActions;
  readonly onInvite: () => void;
}) {
  const { actions, conference } = props;
  const { t } = useTranslation();
  const text = useTexts(GROUP_CALL_TEXTS);
  const { local, streams, status, screens } = useSlice("conference");
  const locked = useLocked();
  const { microphone, camera } = controlsOf(local);
  const inside = status === "joined" || status === "reconnecting";
  const screen = Object.values(streams).find(
    (stream) => stream.located && stream.type === STREAM_TYPE.screen,
  );
  return (
    <div className="gcall-bar" role="toolbar" aria-label={t("conference.bar.label")}>
      <RoundButton
        caption
        tone={microphone.on ? "plain" : "on"}
        label={t(`conference.bar.${microphoneLabel(microphone)}`)}
        busy={conference.busy.has("mute") || microphone.asking}
        disabled={!inside || !microphone.usable}
        onClick={() => conference.setMuted(microphone.on)}
      >
        {microphone.on ? <MicIcon /> : <MicOffIcon />}
      </RoundButton>
      <RoundButton
        caption
        tone={camera.on ? "plain" : "on"}
        label={t(camera.on ? "conference.bar.cameraOff" : "conference.bar.cameraOn")}
        busy={conference.busy.has("camera") || camera.asking}
        disabled={!inside || !camera.usable}
        onClick={() => conference.setVideoOff(camera.on)}
      >
        {camera.on ? <CameraIcon /> : <CameraOffIcon />}
      </RoundButton>
      <RoundButton
        caption
        tone={screen === undefined ? "plain" : "on"}
        label={t(screen === undefined ? "conference.bar.share" : "conference.bar.stopShare")}
        busy={conference.busy.has("share")}
        disabled={!inside || !screens}
        why={screens ? undefined : text("noScreens")}
        onClick={() => (screen === undefined ? conference.share() : conference.unshare(screen.id))}
      >
        <IconDesktop />
      </RoundButton>
      {/* a locked console does not show the list of people */}
      {!locked && (
        <RoundButton caption label={text("invite")} disabled={!inside} onClick={props.onInvite}>
          <IconUserAdd />
        </RoundButton>
      )}
      <RoundButton
        caption
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
