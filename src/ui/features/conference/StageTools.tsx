/** What a person does with the stage: back to the grid, a screen in its own size, full screen. */
import {
  IconApps,
  IconFullscreen,
  IconFullscreenExit,
  IconZoomIn,
  IconZoomOut,
} from "@arco-design/web-react/icon";
import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

function useFullScreenOf(element: RefObject<HTMLElement | null>) {
  const [on, setOn] = useState(false);
  useEffect(() => {
    const look = (): void =>
      setOn(element.current !== null && document.fullscreenElement === element.current);
    document.addEventListener("fullscreenchange", look);
    return () => document.removeEventListener("fullscreenchange", look);
  }, [element]);
  const toggle = (): void => {
    const done = on ? document.exitFullscreen() : element.current?.requestFullscreen();
    // The browser may refuse; then nothing changes.
    done?.catch(() => undefined);
  };
  return { on, toggle };
}

function Tool(props: {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button type="button" title={props.label} aria-label={props.label} onClick={props.onClick}>
      {props.children}
    </button>
  );
}

export function StageTools(props: {
  readonly stage: RefObject<HTMLElement | null>;
  /** Left out: it is a grid already, or the person chose the other layout. */
  readonly onGrid?: () => void;
  /** Left out: no screen is large. */
  readonly zoom?: { readonly on: boolean; readonly toggle: () => void };
}) {
  const { onGrid, zoom } = props;
  const { t } = useTranslation();
  const full = useFullScreenOf(props.stage);
  return (
    <div className="conference-tools" role="group" aria-label={t("conference.stage.tools")}>
      {onGrid !== undefined && (
        <Tool label={t("conference.stage.grid")} onClick={onGrid}>
          <IconApps />
        </Tool>
      )}
      {zoom !== undefined && (
        <Tool
          label={t(zoom.on ? "conference.stage.fit" : "conference.stage.actual")}
          onClick={zoom.toggle}
        >
          {zoom.on ? <IconZoomOut /> : <IconZoomIn />}
        </Tool>
      )}
      {document.fullscreenEnabled && (
        <Tool
          label={t(full.on ? "conference.stage.exitFull" : "conference.stage.full")}
          onClick={full.toggle}
        >
          {full.on ? <IconFullscreenExit /> : <IconFullscreen />}
        </Tool>
      )}
    </div>
  );
}
