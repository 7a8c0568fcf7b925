/** The minimised call; it can be dragged anywhere and leaves the page usable. */
import { useEffect, useRef, useState, type PointerEvent, type RefObject } from "react";
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
import { useCallActions } from "./useCallActions.ts";
import "./call.css";
import { usePeerName } from "./usePeerName.ts";

const MARGIN = 8;
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Limits the point so that the whole pill stays on the page. */
function clamp(point: Point, element: HTMLElement | null): Point {
  const width = element?.offsetWidth ?? 0;
  const height = element?.offsetHeight ?? 0;
  return {
    x: Math.max(MARGIN, Math.min(point.x, innerWidth - width - MARGIN)),
    y: Math.max(MARGIN, Math.min(point.y, innerHeight - height - MARGIN)),
  };
}

function useDrag(pill: RefObject<HTMLDivElement | null>) {
  const grip = useRef<Point | null>(null);
  const [at, setAt] = useState<Point | null>(null);

  useEffect(() => {
    const onResize = (): void => setAt((now) => (now === null ? null : clamp(now, pill.current)));
    addEventListener("resize", onResize);
    return () => removeEventListener("resize", onResize);
  }, [pill]);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0 || (event.target as Element).closest("button") !== null) return;
    const box = event.currentTarget.getBoundingClientRect();
    grip.current = { x: event.clientX - box.x, y: event.clientY - box.y };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const held = grip.current;
    if (held === null) return;
    setAt(clamp({ x: event.clientX - held.x, y: event.clientY - held.y }, event.currentTarget));
  };
  const letGo = (): void => {
    grip.current = null;
  };
  return { at, onPointerDown, onPointerMove, letGo };
}

export default function CallPill() {
  const { t } = useTranslation();
  const call = useSlice("call");
  const actions = useCallActions();
  const { setLarge } = useCallWindow();
  const pill = useRef<HTMLDivElement>(null);
  const { at, onPointerDown, onPointerMove, letGo } = useDrag(pill);
  const name = usePeerName();
  const text = useTexts(CALL_WINDOW_TEXTS);
  const microphone = microphoneOf(call.local);
  return (
    <div
      ref={pill}
      className="pill"
      role="region"
      aria-label={t("call.window", { name })}
      style={at === null ? undefined : { left: at.x, top: at.y, right: "auto" }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={letGo}
      onPointerCancel={letGo}
    >
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
