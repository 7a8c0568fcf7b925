/** Before a conference that a link names is joined: own picture and sound, choice of devices, and one button (docs/conferences.md#green-room). */
import { Alert, Button, Checkbox, Input } from "@arco-design/web-react";
import { IconLeft } from "@arco-design/web-react/icon";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Preview } from "../../../rtc-main/index.ts";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { showMeetingNumber } from "../../../shared/domain/meeting-number.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { EffectChoices } from "../effects/EffectChoices.tsx";
import { EFFECT_TEXTS } from "../effects/texts.ts";
import { DeviceSelect } from "./DeviceSelect.tsx";
import { GREEN_ROOM_TEXTS } from "./green-room-texts.ts";
import { hintsOf, waysOf } from "../call-parts/own-devices.ts";
import { PrecallDialog } from "./PrecallDialog.tsx";
import { useConference } from "./useConference.ts";
import { useHintText } from "./useHintText.ts";
import { useOpen } from "./useOpen.ts";
import { useOwnPreview } from "./useOwnPreview.ts";
import "./green-room.css";

/** ms between two looks at the own level. */
const LEVEL_MS = 100;
/** Speech is seldom louder than this share of the full level. */
const LOUD = 0.3;

export default function GreenRoom(props: {
  readonly confrId: string;
  readonly onLeave: () => void;
}) {
  const { confrId, onLeave } = props;
  const { t } = useTranslation();
  const text = useTexts(GREEN_ROOM_TEXTS);
  const effectText = useTexts(EFFECT_TEXTS);
  const hintText = useHintText();
  const actions = useConference();
  const open = useOpen();
  const { status } = useSlice("call");
  const [microphone, setMicrophone] = useState(true);
  const [camera, setCamera] = useState(true);
  const [audience, setAudience] = useState(false);
  const [password, setPassword] = useState("");
  const [checking, setChecking] = useState(false);
  const wish = useMemo(
    () => ({ microphone: microphone && !audience, camera: camera && !audience }),
    [microphone, camera, audience],
  );
  const { view, preview } = useOwnPreview(wish);
  const { states } = view;
  const found = open.list?.find((one) => one.confrId === confrId);
  const inCall = status !== "idle";
  const hints = audience
    ? []
    : hintsOf({
        publishing: true,
        audioMuted: false,
        audioOff: !wish.microphone,
        videoOff: !wish.camera,
        microphone: states.audio,
        camera: states.video,
      });
  const mayRetry = waysOf(hints).has("retry");
  const join = (event: FormEvent): void => {
    event.preventDefault();
    const { microphone: sound, camera: picture } = wish;
    const role = audience ? { role: CONFERENCE_ROLE.audience } : {};
    void actions.join({
      confrId,
      password,
      audioMuted: !sound,
      videoOff: !picture,
      publish: !audience,
      ...role,
    });
  };
  // Names of devices are known once the person has allowed them.
  const known = `${states.audio} ${states.video}`;
  return (
    <form className="panel green-room" onSubmit={join} aria-label={text("title")}>
      <header>
        <Button
          type="text"
          icon={<IconLeft />}
          aria-label={text("back")}
          title={text("back")}
          onClick={onLeave}
        />
        <div>
          <h1 className="ellipsis">{found?.name ?? text("title")}</h1>
          <p className="conference-hint tnum">
            {text("number", { number: showMeetingNumber(confrId) })}
            {found !== undefined &&
              ` · ${text("by", { name: found.createdByName, count: found.members })}`}
          </p>
        </div>
      </header>
      {inCall && <Alert type="warning" content={text("inCall")} />}
      {open.list !== null && found === undefined && <Alert type="info" content={text("unseen")} />}
      <div className="green-room-body">
        <div className="green-room-own">
          <Picture stream={view.picture}>
            {text(wish.camera && states.video !== "off" ? "noPicture" : "cameraOff")}
          </Picture>
          <div className="green-room-switches">
            <Button disabled={audience} onClick={() => setMicrophone(!microphone)}>
              {text(wish.microphone ? "turnMicrophoneOff" : "turnMicrophoneOn")}
            </Button>
            <Button disabled={audience} onClick={() => setCamera(!camera)}>
              {text(wish.camera ? "turnCameraOff" : "turnCameraOn")}
            </Button>
          </div>
          <Level preview={states.audio === "on" ? preview : null} label={text("level")} />
          <div role="status">
            {hints.map((hint) => (
              <p key={hint.what} className="conference-error" data-hint={hint.what}>
                {hintText(hint)}
              </p>
            ))}
          </div>
          {mayRetry && (
            <Button size="small" onClick={() => preview?.retry()}>
              {t("common.retry")}
            </Button>
          )}
        </div>
        <div className="green-room-choices">
          <DeviceSelect
            key={`audio ${known}`}
            kind="audioinput"
            label={t("conference.settings.microphone")}
          />
          <DeviceSelect
            key={`video ${known}`}
            kind="videoinput"
            label={t("conference.settings.camera")}
          />
          {"setSinkId" in HTMLMediaElement.prototype && (
            <DeviceSelect
              key={`output ${known}`}
              kind="audiooutput"
              label={effectText("speaker")}
            />
          )}
          <EffectChoices />
          {(found === undefined || found.hasPassword) && (
            <label>
              {t("conference.lobby.password")}
              <Input.Password
                value={password}
                onChange={setPassword}
                maxLength={64}
                autoComplete="off"
              />
            </label>
          )}
          <Checkbox checked={audience} onChange={setAudience}>
            {t("conference.lobby.asAudience")}
          </Checkbox>
          <Button
            type="primary"
            size="large"
            htmlType="submit"
            disabled={inCall}
            loading={actions.busy.has("join")}
          >
            {text("join")}
          </Button>
          <Button onClick={() => setChecking(true)}>{text("check")}</Button>
        </div>
      </div>
      {checking && <PrecallDialog onClose={() => setChecking(false)} />}
    </form>
  );
}

function Picture(props: { readonly stream: MediaStream | null; readonly children: string }) {
  const { stream } = props;
  const text = useTexts(GREEN_ROOM_TEXTS);
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream;
  }, [stream]);
  return (
    <div className="green-room-picture">
      <video
        ref={video}
        muted
        autoPlay
        playsInline
        hidden={stream === null}
        aria-label={text("preview")}
      />
      {stream === null && <span>{props.children}</span>}
    </div>
  );
}

function Level({ preview, label }: { readonly preview: Preview | null; readonly label: string }) {
  const bar = useRef<HTMLMeterElement>(null);
  useEffect(() => {
    const element = bar.current;
    if (element === null) return undefined;
    // Without a render per look.
    const timer = setInterval(() => {
      element.value = Math.min(1, (preview?.level() ?? 0) / LOUD);
    }, LEVEL_MS);
    return () => clearInterval(timer);
  }, [preview]);
  return (
    <label className="green-room-level">
      {label}
      <meter ref={bar} min={0} max={1} />
    </label>
  );
}
