/** The tools of annotations, at the foot of the stage while the person draws. Escape ends drawing. */
import {
  IconArrowRise,
  IconCheck,
  IconDelete,
  IconEdit,
  IconEraser,
  IconFontColors,
  IconLock,
  IconMinus,
  IconUndo,
  IconUnlock,
} from "@arco-design/web-react/icon";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { DrawingTool } from "../../../rtc-main/index.ts";
import { MARK_COLOURS, MARK_SIZES, MARK_TOOLS } from "../../../shared/domain/annotations.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { manages, useBoard, useDrawing, useMayDraw } from "./drawing.ts";
import { DRAWING_TEXTS } from "./drawing-texts.ts";
import { OVERLAY } from "../call-parts/useShortcuts.ts";

const Shape = (props: { readonly children: ReactNode }) => (
  <svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" aria-hidden>
    {props.children}
  </svg>
);
const ICONS: Readonly<Record<DrawingTool, ReactNode>> = {
  pen: <IconEdit />,
  line: <IconMinus />,
  arrow: <IconArrowRise />,
  rectangle: (
    <Shape>
      <rect x="2" y="3.5" width="12" height="9" />
    </Shape>
  ),
  ellipse: (
    <Shape>
      <ellipse cx="8" cy="8" rx="6" ry="4.5" />
    </Shape>
  ),
  text: <IconFontColors />,
  eraser: <IconEraser />,
};
const TOOLS = [...MARK_TOOLS, "eraser"] as const;
const SIZES = ["thin", "medium", "thick"] as const;

function Tool(props: {
  readonly label: string;
  readonly on?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      title={props.label}
      aria-label={props.label}
      {...(props.on === undefined ? {} : { "aria-pressed": props.on })}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  );
}

export function DrawBar() {
  const { streamId } = useDrawing();
  const { streams } = useSlice("conference");
  const stream = streamId === null ? undefined : streams[streamId];
  return stream === undefined ? null : <OpenBar key={stream.id} streamId={stream.id} />;
}

function OpenBar(props: { readonly streamId: string }) {
  const { streamId } = props;
  const t = useTexts(DRAWING_TEXTS);
  const { self, members, streams } = useSlice("conference");
  const { style, setStyle, stop, surfaces } = useDrawing();
  const { locked } = useBoard(streamId);
  const stream = streams[streamId];
  const may = useMayDraw(stream ?? null) && stream?.voff === 0;
  const [asking, setAsking] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const surface = () => surfaces.get(streamId);

  useEffect(() => {
    if (!may) stop();
  }, [may, stop]);
  useEffect(() => {
    const before = document.activeElement;
    bar.current?.querySelector("button")?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (document.querySelector(OVERLAY) !== null) return;
      const undo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === "z";
      const typing = event.target instanceof Element && event.target.closest("input, textarea");
      if (typing || (event.key !== "Escape" && !undo)) return;
      event.preventDefault();
      if (undo) surfaces.get(streamId)?.undo();
      else if (surfaces.get(streamId)?.cancel() !== true) stop();
    };
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, [stop, streamId, surfaces]);

  if (asking) {
    return (
      <div ref={bar} className="conference-draw-bar" role="group" aria-label={t("clearAsk")}>
        <span>{t("clearAsk")}</span>
        <button
          type="button"
          className="conference-draw-word"
          data-danger
          onClick={() => {
            surface()?.clear();
            setAsking(false);
          }}
        >
          {t("clearYes")}
        </button>
        <button
          type="button"
          className="conference-draw-word"
          autoFocus
          onClick={() => setAsking(false)}
        >
          {t("cancel")}
        </button>
      </div>
    );
  }
  return (
    <div ref={bar} className="conference-draw-bar" role="toolbar" aria-label={t("bar")}>
      <div role="group" aria-label={t("tools")}>
        {TOOLS.map((tool) => (
          <Tool
            key={tool}
            label={t(tool)}
            on={style.tool === tool}
            onClick={() => setStyle({ tool })}
          >
            {ICONS[tool]}
          </Tool>
        ))}
      </div>
      <div role="group" aria-label={t("colours")}>
        {MARK_COLOURS.map((colour, index) => (
          <Tool
            key={colour}
            label={t("colour", { number: index + 1 })}
            on={style.colour === colour}
            onClick={() => setStyle({ colour })}
          >
            <i className="conference-draw-colour" style={{ background: colour }} />
          </Tool>
        ))}
      </div>
      <div role="group" aria-label={t("sizes")}>
        {SIZES.map((size, index) => (
          <Tool
            key={size}
            label={t(size)}
            on={style.size === MARK_SIZES[size]}
            onClick={() => setStyle({ size: MARK_SIZES[size] })}
          >
            <i className="conference-draw-size" style={{ height: 2 + 3 * index }} />
          </Tool>
        ))}
      </div>
      <div role="group">
        <Tool label={t("undo")} onClick={() => surface()?.undo()}>
          <IconUndo />
        </Tool>
        {manages(self, stream === undefined ? undefined : members[stream.memId]) && (
          <>
            <Tool label={t("clear")} onClick={() => setAsking(true)}>
              <IconDelete />
            </Tool>
            <Tool
              label={t(locked ? "unlock" : "lock")}
              on={locked}
              onClick={() => surface()?.lock(!locked)}
            >
              {locked ? <IconLock /> : <IconUnlock />}
            </Tool>
          </>
        )}
        <Tool label={t("done")} onClick={stop}>
          <IconCheck />
        </Tool>
      </div>
    </div>
  );
}

/** On a tile: begins or ends drawing over its picture. Nothing for who may not. */
export function DrawButton(props: { readonly streamId: string; readonly name: string }) {
  const { streamId, name } = props;
  const t = useTexts(DRAWING_TEXTS);
  const { streamId: drawnOver, start, stop } = useDrawing();
  const stream = useSlice("conference").streams[streamId];
  const on = drawnOver === streamId;
  if (!useMayDraw(stream ?? null)) return null;
  return (
    <button
      type="button"
      className="conference-draw"
      aria-pressed={on}
      title={t("draw", { name })}
      aria-label={t("draw", { name })}
      onClick={(event) => {
        event.stopPropagation();
        if (on) stop();
        else start(streamId);
      }}
    >
      <IconEdit />
    </button>
  );
}
