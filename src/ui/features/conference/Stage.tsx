/** Tiles in a grid, or one large tile with the others beside it. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFrozenSlice } from "../../state/services.ts";
import { TileView } from "./TileView.tsx";
import { columnsFor, speakerOf, tilesOf } from "./view.ts";

export type Layout = "grid" | "speaker";

function useRatio() {
  const box = useRef<HTMLDivElement>(null);
  const [ratio, setRatio] = useState(16 / 9);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      if (width > 0 && height > 0) setRatio(width / height);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, ratio };
}

export function Stage({ layout }: { readonly layout: Layout }) {
  const { t } = useTranslation();
  const slice = useFrozenSlice("conference");
  const tiles = tilesOf(slice);
  const { box, ratio } = useRatio();
  const [pinned, setPinned] = useState<string | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const large =
    layout === "speaker"
      ? (tiles.find((tile) => tile.key === pinned) ?? speakerOf(tiles, last))
      : null;
  if (large !== null && large.key !== last) setLast(large.key);
  const others = tiles.filter((tile) => tile !== large);
  const alone = Object.keys(slice.members).length <= 1;
  return (
    <div ref={box} className="confr-stage" data-layout={layout}>
      {large !== null && (
        <div className="confr-large">
          <TileView tile={large} large onClick={() => setPinned(null)} />
        </div>
      )}
      <div
        className="confr-tiles"
        style={
          large === null
            ? { gridTemplateColumns: `repeat(${columnsFor(others.length, ratio)}, minmax(0, 1fr))` }
            : undefined
        }
      >
        {others.map((tile) => (
          <TileView
            key={tile.key}
            tile={tile}
            {...(layout === "speaker" ? { onClick: () => setPinned(tile.key) } : {})}
          />
        ))}
      </div>
      {alone && (
        <p className="confr-alone" role="status">
          <strong>{t("conference.room.alone")}</strong>
          <span>{t("conference.room.aloneHint")}</span>
        </p>
      )}
    </div>
  );
}
