/** Lies over the controlled screen while this person controls it, and sends mouse, wheel and keyboard. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { browserClock, captureControl } from "../../../rtc-main/index.ts";
import { useControl } from "./useControl.ts";
import "./control.css";

export function ControlSurface(props: { readonly streamId: string; readonly name: string }) {
  const { streamId, name } = props;
  const { t } = useTranslation();
  const { send, release } = useControl();
  const surface = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = surface.current;
    const video = element?.parentElement?.querySelector("video") ?? null;
    if (element === null || video === null) return undefined;
    element.focus({ preventScroll: true });
    return captureControl({
      surface: element,
      video,
      clock: browserClock,
      send: (actions) => send({ streamId, actions }),
      onEscape: release,
    });
  }, [streamId, send, release]);
  return (
    <div
      ref={surface}
      className="conference-control-surface"
      role="application"
      aria-label={t("conference.control.surface", { name })}
      tabIndex={0}
      onClick={(event) => event.stopPropagation()}
    />
  );
}
