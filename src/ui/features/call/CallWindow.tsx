/** The call window: the other side large, oneself small, and the controls. Only the owner tab has the video. */
import { Button } from "@arco-design/web-react";
import { IconSettings, IconUserAdd } from "@arco-design/web-react/icon";
import { lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import { Avatar } from "../../components/Avatar.tsx";
import {
  CameraIcon,
  CameraOffIcon,
  HangupIcon,
  MicIcon,
  MicOffIcon,
  MinimizeIcon,
  SpeakerIcon,
} from "../../components/call-icons.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore, useLocked, useMediaState, useServices, useSlice } from "../../state/services.ts";
import { CallTimer } from "../call-parts/CallTimer.tsx";
import { CallVideo } from "./CallVideo.tsx";
import { useCallWindow } from "../call-parts/call-window.tsx";
import { useFloating } from "../call-parts/floating-context.ts";
import { FloatingAway, FloatingButton } from "../call-parts/FloatingButton.tsx";
import { CallProblemLine } from "./CallProblemLine.tsx";
import { CALL_WINDOW_TEXTS } from "../call-parts/texts.ts";
import { cameraOf, microphoneOf } from "./own-devices.ts";
import { CallMutedHint } from "../call-parts/MutedHint.tsx";
import { RoundButton } from "../call-parts/RoundButton.tsx";
import { useCallActions, type CallActions } from "./useCallActions.ts";
import { useDialogFocus } from "../call-parts/useDialogFocus.ts";
import { EFFECT_TEXTS } from "../effects/texts.ts";
import "./call.css";
import { usePeerName } from "./usePeerName.ts";
import { Part } from "../../components/Part.tsx";

const AddPeople = lazy(() =>
  retrying(() => import("../group-call/CallPeopleDialog.tsx")).then((module) => ({
    default: module.AddPeople,
  })),
);

const Settings = lazy(() =>
  retrying(() => import("../conference/SettingsDialog.tsx")).then((module) => ({
    default: module.SettingsDialog,
  })),
);

export default function CallWindow() {
  const { t } = useTranslation();
  const core = useCore();
  const call = useSlice("call");
  const actions = useCallActions();
  const { setLarge } = useCallWindow();
  const { away } = useFloating();
  const [adding, setAdding] = useState(false);
  const [settings, setSettings] = useState(false);
  const text = useTexts(EFFECT_TEXTS);
  const locked = useLocked();
  const dialog = useDialogFocus();
  const name = usePeerName();
  const ownsMedia = call.owner?.tabId === core.tabId;
  const connectionText =
    call.connection === "none"
      ? t("call.connection.connecting")
      : t(`call.connection.${call.connection}`);
  return (
    <div
      ref={dialog}
      className="call"
      role="dialog"
      aria-modal="true"
      aria-label={t("call.window", { name })}
      data-owner={ownsMedia}
      data-connection={call.connection}
      data-adding={adding || settings}
      tabIndex={-1}
    >
      <header className="call-top">
        <div className="call-who">
          <strong className="ellipsis" translate="no">
            {name}
          </strong>
          <CallTimer startedAt={call.startedAt} />
          <span className="call-connection" data-connection={call.connection} aria-live="polite">
            {connectionText}
          </span>
        </div>
        <div className="call-corner">
          {ownsMedia && (
            <FloatingButton
              video={() =>
                dialog.current?.querySelector<HTMLVideoElement>(".call-video-remote") ?? null
              }
            />
          )}
          {ownsMedia && (
            <RoundButton small label={text("open")} onClick={() => setSettings(true)}>
              <IconSettings />
            </RoundButton>
          )}
          <RoundButton small label={t("call.minimize")} onClick={() => setLarge(false)}>
            <MinimizeIcon />
          </RoundButton>
        </div>
      </header>
      <div className="call-stage">
        {!ownsMedia ? <Elsewhere actions={actions} /> : away ? <FloatingAway /> : <Stage />}
        <Marks
          onRetry={actions.retryDevices}
          onChoose={ownsMedia ? () => setSettings(true) : null}
        />
        {ownsMedia && <CallMutedHint />}
      </div>
      <Controls actions={actions} onAdd={() => setAdding(true)} />
      {settings && (
        <Part onFailed={() => setSettings(false)}>
          <Settings keys={false} onClose={() => setSettings(false)} />
        </Part>
      )}
      {adding && !locked && (
        <Part onFailed={() => setAdding(false)}>
          <AddPeople onClose={() => setAdding(false)} />
        </Part>
      )}
    </div>
  );
}

function Stage() {
  const { t } = useTranslation();
  const { media } = useServices();
  const state = useMediaState();
  const call = useSlice("call");
  const name = usePeerName();
  const remoteShown = state.remoteVideo && !call.remote.videoOff && call.remote.picture !== "off";
  const localShown = state.localVideo && !call.local.videoOff && call.local.hasVideo;
  return (
    <>
      <div className="call-remote" data-shown={remoteShown}>
        <CallVideo which="remote" label={t("call.remoteVideo", { name })} />
        {!remoteShown && (
          <div className="call-face">
            <Avatar name={name} person={call.peer?.userName} size={128} />
          </div>
        )}
      </div>
      <div className="call-local" data-shown={localShown}>
        <CallVideo which="local" label={t("call.localVideo")} />
      </div>
      {state.autoplayBlocked && (
        <button
          type="button"
          className="call-sound"
          onClick={() => void media.resumePlayback().catch(() => undefined)}
        >
          <SpeakerIcon />
          {t("call.playSound")}
        </button>
      )}
    </>
  );
}

function Elsewhere({ actions }: { readonly actions: CallActions }) {
  const { t } = useTranslation();
  const { owner, peer } = useSlice("call");
  return (
    <div className="call-elsewhere">
      <Avatar name={usePeerName()} person={peer?.userName} size={96} />
      <p role="status">{t(owner === null ? "call.taking" : "call.elsewhere")}</p>
      {owner !== null && (
        <Button
          type="primary"
          size="large"
          loading={actions.busy === "bring"}
          onClick={actions.bringHere}
        >
          {t("call.bringHere")}
        </Button>
      )}
    </div>
  );
}

/** State of both sides, also announced to screen readers. */
function Marks(props: { readonly onRetry: () => void; readonly onChoose: (() => void) | null }) {
  const { t } = useTranslation();
  const { remote, local, info } = useSlice("call");
  const video = info?.media === "video";
  const marks = [
    remote.audioMuted && t("call.remoteMuted"),
    video && remote.videoOff && t("call.remoteVideoOff"),
    local.audioMuted && t("call.selfMuted"),
  ].filter((x) => x !== false);
  return (
    <div className="call-marks" aria-live="polite">
      <CallProblemLine {...props} />
      {marks.map((text) => (
        <span key={text} className="call-mark">
          {text}
        </span>
      ))}
    </div>
  );
}

function Controls(props: { readonly actions: CallActions; readonly onAdd: () => void }) {
  const { actions } = props;
  const { t } = useTranslation();
  const { local, info, owner } = useSlice("call");
  const text = useTexts(CALL_WINDOW_TEXTS);
  const microphone = microphoneOf(local);
  const camera = cameraOf(local);
  const locked = useLocked();
  return (
    <div className="call-controls">
      <RoundButton
        caption
        tone={microphone.on ? "plain" : "on"}
        label={
          microphone.gone ? text("microphoneOn") : t(microphone.on ? "call.mute" : "call.unmute")
        }
        disabled={!microphone.usable}
        busy={actions.busy === "mute"}
        onClick={() => actions.setMuted(microphone.on)}
      >
        {microphone.on ? <MicIcon /> : <MicOffIcon />}
      </RoundButton>
      {info?.media === "video" && (
        <RoundButton
          caption
          tone={camera.on ? "plain" : "on"}
          label={t(camera.on ? "call.cameraOff" : "call.cameraOn")}
          disabled={!camera.usable}
          busy={actions.busy === "camera"}
          onClick={() => actions.setVideoOff(camera.on)}
        >
          {camera.on ? <CameraIcon /> : <CameraOffIcon />}
        </RoundButton>
      )}
      {/* a locked console does not show the list of people */}
      {!locked && (
        <RoundButton
          caption
          label={t("call.addPeople")}
          disabled={owner?.ready !== true}
          onClick={props.onAdd}
        >
          <IconUserAdd />
        </RoundButton>
      )}
      <RoundButton
        caption
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
