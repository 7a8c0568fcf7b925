/** The marks over the picture of one tile (docs/conferences.md#annotations). While the person draws, the pointer draws here. */
import { useEffect, useRef } from "react";
import { browserSurfaceEnv, createSurface } from "../../../rtc-main/index.ts";
import { textOf, useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { useDrawing } from "./drawing.ts";
import { DRAWING_TEXTS } from "./drawing-texts.ts";
import { nameOf } from "./view.ts";
import "./drawing.css";

export function MarksLayer(props: {
  readonly streamId: string;
  readonly mirrored: boolean;
  /** Whose picture it is. */
  readonly name: string;
}) {
  const { streamId, mirrored } = props;
  const { commands, state } = useCore();
  const { marks, streamId: drawnOver, style, surfaces } = useDrawing();
  const t = useTexts(DRAWING_TEXTS);
  const element = useRef<HTMLCanvasElement>(null);
  const drawing = drawnOver === streamId;
  const latest = useRef({ style, drawing });
  useEffect(() => {
    latest.current = { style, drawing };
  });
  useEffect(() => {
    const canvas = element.current;
    const video = canvas?.parentElement?.querySelector("video") ?? null;
    if (canvas === null || video === null) return undefined;
    const surface = createSurface({
      env: browserSurfaceEnv(canvas.ownerDocument.defaultView ?? window),
      canvas,
      video,
      streamId,
      marks,
      mirrored,
      me: () => state.conference.self?.memName ?? "",
      nameOf(memName) {
        const members = Object.values(state.conference.members);
        const member = members.find((one) => one.memName === memName);
        return member === undefined ? memName : nameOf(member);
      },
      style: () => latest.current.style,
      send: (changes) => commands.conference.annotate({ streamId, changes }),
      onError: showError,
      textLabel: () => textOf(DRAWING_TEXTS, "words"),
    });
    surfaces.set(streamId, surface);
    surface.draw(latest.current.drawing);
    return () => {
      surfaces.delete(streamId);
      surface.end();
    };
  }, [commands, marks, mirrored, state, streamId, surfaces]);
  useEffect(() => {
    surfaces.get(streamId)?.draw(drawing);
  }, [drawing, streamId, surfaces]);
  return (
    <canvas
      ref={element}
      className="conference-marks"
      data-drawing={drawing}
      role="img"
      aria-label={t("marks", { name: props.name })}
    />
  );
}
