/** What the floating window shows: the other side, or the speaker of a group call, with buttons for the microphone and for hanging up. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Avatar } from "../../components/Avatar.tsx";
import { HangupIcon, MicIcon, MicOffIcon } from "../../components/call-icons.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useFrozenSlice, useMediaState, useSlice } from "../../state/services.ts";
import { DrawingContext, useNewDrawing } from "../conference/drawing.ts";
import { controlsOf, microphoneLabel } from "../call-parts/own-devices.ts";
import { TileView } from "../conference/TileView.tsx";
import { useConference } from "../conference/useConference.ts";
import { speakerOf, tilesOf } from "../conference/view.ts";
import { useGroupCall } from "../group-call/useGroupCall.ts";
import { useGroupCallName } from "../group-call/call-name.ts";
import { CallTimer } from "../call-parts/CallTimer.tsx";
import { CallVideo } from "./CallVideo.tsx";
import { microphoneOf } from "./own-devices.ts";
import { RoundButton } from "../call-parts/RoundButton.tsx";
import { CALL_WINDOW_TEXTS } from "../call-parts/texts.ts";
import { useCallActions } from "./useCallActions.ts";
import "../conference/conference.css";
import "./call.css";
import "./floating.css";
import "../../i18n/conference-texts.ts";
import { usePeerName } from "./usePeerName.ts";

export default function FloatingCall(props: { readonly carried: "call" | "group" }) {
  return props.carried === "call" ? <OfTwo /> : <OfGroup />;
}

function OfTwo() {
  const { t } = useTranslation();
  const { peer, remote, local, startedAt } = useSlice("call");
  const { remoteVideo } = useMediaState();
  const actions = useCallActions();
  const name = usePeerName();
  const text = useTexts(CALL_WINDOW_TEXTS);
  const microphone = microphoneOf(local);
  const shown = remoteVideo && !remote.videoOff && remote.picture !== "off";
  return (
    <div className="floating">
      <div className="floating-stage call-remote" data-shown={shown}>
        <CallVideo which="remote" label={t("call.remoteVideo", { name })} />
        {!shown && (
          <div className="call-face">
            <Avatar name={name} person={peer?.userName} size={96} />
          </div>
        )}
      </div>
      <Bar
        name={name}
        startedAt={startedAt}
        microphone={microphone.on}
        microphoneText={
          microphone.gone ? text("microphoneOn") : t(microphone.on ? "call.mute" : "call.unmute")
        }
        busy={!microphone.usable || actions.busy === "mute"}
        onMute={() => actions.setMuted(microphone.on)}
        onHangup={actions.hangup}
      />
    </div>
  );
}

function OfGroup() {
  const { t } = useTranslation();
  const slice = useFrozenSlice("conference");
  const { startedAt } = useSlice("groupCall");
  const { local } = useSlice("conference");
  const actions = useGroupCall();
  const conference = useConference();
  const name = useGroupCallName();
  const drawing = useNewDrawing();
  const [last, setLast] = useState<string | null>(null);
  const tile = speakerOf(tilesOf(slice), last);
  if (tile !== null && tile.key !== last) setLast(tile.key);
  const { microphone } = controlsOf(local);
  return (
    <div className="floating">
      <div className="floating-stage">
        <DrawingContext value={drawing}>
          {tile !== null && <TileView key={tile.key} tile={tile} large />}
        </DrawingContext>
      </div>
      <Bar
        name={name}
        startedAt={startedAt}
        microphone={microphone.on}
        microphoneText={t(`conference.bar.${microphoneLabel(microphone)}`)}
        busy={conference.busy.has("mute") || microphone.asking}
        onMute={() => conference.setMuted(microphone.on)}
        onHangup={actions.leave}
      />
    </div>
  );
}

function Bar(props: {
  readonly name: string;
  readonly startedAt: number | null;
  readonly microphone: boolean;
  readonly microphoneText: string;
  readonly busy: boolean;
  readonly onMute: () => void;
  readonly onHangup: () => void;
}) {
  const { t } = useTranslation();
  return (
    <div className="floating-bar strip">
      <span className="floating-who">
        <strong className="ellipsis" translate="no">
          {props.name}
        </strong>
        <CallTimer startedAt={props.startedAt} />
      </span>
      <RoundButton
        small
        tone={props.microphone ? "plain" : "on"}
        label={props.microphoneText}
        busy={props.busy}
        onClick={props.onMute}
      >
        {props.microphone ? <MicIcon /> : <MicOffIcon />}
      </RoundButton>
      <RoundButton small tone="bad" label={t("call.hangup")} onClick={props.onHangup}>
        <HangupIcon />
      </RoundButton>
    </div>
  );
}
