/** Tiles in a grid, or one large tile with the others beside it: what the person pinned, a shared screen, or the speaker. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFrozenSlice } from "../../state/services.ts";
import { ControlSurface } from "./ControlSurface.tsx";
import { ControlTool } from "./ControlTool.tsx";
import { DrawBar } from "./DrawBar.tsx";
import { useAnnotatedScreen } from "./drawing.ts";
import { StageTools } from "./StageTools.tsx";
import { TileView } from "./TileView.tsx";
import { columnsFor, largeOf, placeOf, type StageChoice, tilesOf } from "./view.ts";

export type Layout = StageChoice["layout"];

/** Size of the box, px. */
function useBoxSize() {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 1280, height: 720 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      if (width > 0 && height > 0) setSize({ width, height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, size };
}

export function Stage(props: {
  readonly layout: Layout;
  /** What stands there while nobody else is inside, instead of how to invite. */
  readonly alone?: string;
}) {
  const { layout } = props;
  const { t } = useTranslation();
  const slice = useFrozenSlice("conference");
  const ownScreen = useAnnotatedScreen(slice);
  const tiles = ownScreen === null ? tilesOf(slice) : [...tilesOf(slice), ownScreen];
  const { box, size } = useBoxSize();
  const [pinned, setPinned] = useState<string | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const [zoomed, setZoomed] = useState(false);
  const [before, setBefore] = useState(layout);
  const toGrid = (): void => {
    setPinned(null);
    setDismissed(tiles.filter((tile) => tile.kind === "screen").map((tile) => tile.key));
  };
  if (before !== layout) {
    setBefore(layout);
    if (layout === "grid") toGrid();
    else setDismissed([]);
  }
  const large = largeOf(tiles, { layout, pinned, dismissed, last });
  if (large !== null && large.key !== last) {
    setLast(large.key);
    setZoomed(false);
  }
  const pinOf = (key: string) => ({
    on: pinned === key,
    toggle: () => setPinned(pinned === key ? null : key),
  });
  const { state, of } = slice.control.own;
  const controlling = state === "controlling" && of?.streamId === large?.key;
  const others = tiles.filter((tile) => tile !== large);
  const columns = columnsFor(others.length, size);
  const alone = Object.keys(slice.members).length <= 1;
  return (
    <div ref={box} className="conference-stage" data-layout={large === null ? "grid" : "speaker"}>
      {large !== null && (
        <div className="conference-large">
          <TileView key={large.key} tile={large} large zoomed={zoomed} pin={pinOf(large.key)}>
            {controlling && <ControlSurface streamId={large.key} name={of?.nickName ?? ""} />}
          </TileView>
          {large.kind === "screen" && <ControlTool streamId={large.key} />}
        </div>
      )}
      <div
        className="conference-tiles"
        style={
          large === null
            ? { gridTemplateColumns: `repeat(${2 * columns}, minmax(0, 1fr))` }
            : undefined
        }
      >
        {others.map((tile, index) => (
          <TileView
            key={tile.key}
            tile={tile}
            pin={pinOf(tile.key)}
            {...(large === null
              ? { place: placeOf(index, others.length, columns) }
              : { onClick: () => setPinned(tile.key) })}
          />
        ))}
      </div>
      <DrawBar />
      <StageTools
        stage={box}
        {...(large === null || layout === "speaker" ? {} : { onGrid: toGrid })}
        {...(large?.kind === "screen"
          ? { zoom: { on: zoomed, toggle: () => setZoomed(!zoomed) } }
          : {})}
      />
      {alone && (
        <p className="conference-alone" role="status">
          <strong>{props.alone ?? t("conference.inside.alone")}</strong>
          {props.alone === undefined && <span>{t("conference.inside.aloneHint")}</span>}
        </p>
      )}
    </div>
  );
}
