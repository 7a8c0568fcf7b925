/** The call window: the other side large, oneself small, and the controls. Only the owner tab has the video. */
import { Button } from "@arco-design/web-react";
import { useEffect, useRef } from "react";
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
import { useCore, useMediaState, useServices, useSlice } from "../../state/services.ts";
import { CallTimer } from "./CallTimer.tsx";
import { useCallWindow } from "./call-window.tsx";
import { RoundButton } from "./RoundButton.tsx";
import { useCallActions, type CallActions } from "./useCallActions.ts";
import { useDialogFocus } from "./useDialogFocus.ts";
import "./call.css";

export default function CallWindow() {
  const { t } = useTranslation();
  const core = useCore();
  const call = useSlice("call");
  const actions = useCallActions();
  const { setLarge } = useCallWindow();
  const dialog = useDialogFocus();
  const name = call.peer?.name ?? "";
  const mine = call.owner?.tabId === core.tabId;
  const linkText = call.link === "none" ? t("call.link.connecting") : t(`call.link.${call.link}`);
  return (
    <div
      ref={dialog}
      className="call"
      role="dialog"
      aria-modal="true"
      aria-label={t("call.window", { name })}
      data-owner={mine}
      data-link={call.link}
      tabIndex={-1}
    >
      <header className="call-top">
        <div className="call-who">
          <strong className="ellipsis">{name}</strong>
          <CallTimer startedAt={call.startedAt} />
          <span className="call-link" data-link={call.link} aria-live="polite">
            {linkText}
          </span>
        </div>
        <RoundButton small label={t("call.minimize")} onClick={() => setLarge(false)}>
          <MinimizeIcon />
        </RoundButton>
      </header>
      <div className="call-stage">
        {mine ? <Stage /> : <Elsewhere actions={actions} />}
        <Marks />
      </div>
      <Controls actions={actions} />
    </div>
  );
}

function Video(props: { readonly which: "local" | "remote"; readonly label: string }) {
  const { media } = useServices();
  const { owner } = useSlice("call");
  const element = useRef<HTMLVideoElement>(null);
  const epoch = owner?.epoch ?? 0;
  useEffect(() => {
    const video = element.current;
    return video === null ? undefined : media.bindVideo(props.which, video);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new owner epoch has new streams
  }, [media, props.which, epoch]);
  return (
    <video
      ref={element}
      className={`call-video call-video-${props.which}`}
      aria-label={props.label}
      autoPlay
      muted
      playsInline
    />
  );
}

function Stage() {
  const { t } = useTranslation();
  const { media } = useServices();
  const state = useMediaState();
  const call = useSlice("call");
  const name = call.peer?.name ?? "";
  const remoteShown = state.remoteVideo && !call.remote.videoOff;
  const localShown = state.localVideo && !call.local.videoOff && call.local.hasVideo;
  return (
    <>
      <div className="call-remote" data-shown={remoteShown}>
        <Video which="remote" label={t("call.remoteVideo", { name })} />
        {!remoteShown && (
          <div className="call-face">
            <Avatar name={name} size={128} />
          </div>
        )}
      </div>
      <div className="call-local" data-shown={localShown}>
        <Video which="local" label={t("call.localVideo")} />
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
      <Avatar name={peer?.name ?? ""} size={96} />
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
function Marks() {
  const { t } = useTranslation();
  const { remote, local, noData, info } = useSlice("call");
  const video = info?.media === "video";
  const warnings = [
    noData.local && t("call.noDataLocal"),
    noData.remote && t("call.noDataRemote"),
    !local.hasAudio && t("call.noMicrophone"),
  ].filter((x) => x !== false);
  const marks = [
    remote.audioMuted && t("call.remoteMuted"),
    video && remote.videoOff && t("call.remoteVideoOff"),
    local.audioMuted && t("call.selfMuted"),
    video && !local.hasVideo && t("call.noCamera"),
  ].filter((x) => x !== false);
  return (
    <div className="call-marks" aria-live="polite">
      {warnings.map((text) => (
        <span key={text} className="call-mark call-mark-warn">
          {text}
        </span>
      ))}
      {marks.map((text) => (
        <span key={text} className="call-mark">
          {text}
        </span>
      ))}
    </div>
  );
}

function Controls({ actions }: { readonly actions: CallActions }) {
  const { t } = useTranslation();
  const { local, info } = useSlice("call");
  const { audioMuted, videoOff, hasAudio, hasVideo } = local;
  return (
    <div className="call-controls">
      <RoundButton
        caption
        tone={audioMuted ? "on" : "plain"}
        label={t(audioMuted ? "call.unmute" : "call.mute")}
        disabled={!hasAudio}
        busy={actions.busy === "mute"}
        onClick={() => actions.setMuted(!audioMuted)}
      >
        {audioMuted ? <MicOffIcon /> : <MicIcon />}
      </RoundButton>
      {info?.media === "video" && (
        <RoundButton
          caption
          tone={videoOff ? "on" : "plain"}
          label={t(videoOff ? "call.cameraOn" : "call.cameraOff")}
          disabled={!hasVideo}
          busy={actions.busy === "camera"}
          onClick={() => actions.setVideoOff(!videoOff)}
        >
          {videoOff ? <CameraOffIcon /> : <CameraIcon />}
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
