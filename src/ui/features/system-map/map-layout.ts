/** Where the boxes and lines of the map of the system lie (docs/session.md#system-map). Pure. */
import { COLUMNS, type MapGraph } from "./map-graph.ts";

/** px */
const [HEIGHT, GAP] = [92, 16];
const BETWEEN = { least: 44, most: 120 } as const;
const WIDTH = { least: 176, most: 320 } as const;
/** px of the page below which the boxes stand below each other, without lines. */
export const NARROW = 4 * WIDTH.least + 3 * BETWEEN.least;

export interface MapLayout {
  readonly height: number;
  /** By the id of the box, px. */
  readonly places: ReadonlyMap<
    string,
    { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  >;
  /** The path of each line, in their order. */
  readonly paths: readonly string[];
}

/** @returns null when the page is too narrow */
export function mapLayout({ boxes, lines }: MapGraph, width: number): MapLayout | null {
  if (width < NARROW) return null;
  const between = Math.min(BETWEEN.most, Math.max(BETWEEN.least, width / 16));
  const box = Math.min(WIDTH.most, Math.floor((width - 3 * between) / 4));
  // What is left of a wide page lies between the columns.
  const step = box + (width - 4 * box) / 3;
  const heightOf = (count: number): number => count * HEIGHT + Math.max(0, count - 1) * GAP;
  const columns = COLUMNS.map((column) => boxes.filter((one) => one.column === column));
  const height = Math.max(...columns.map(({ length }) => heightOf(length)));
  const places = new Map<string, { x: number; y: number; width: number; height: number }>();
  for (const [at, column] of columns.entries()) {
    const top = (height - heightOf(column.length)) / 2;
    for (const [row, { id }] of column.entries()) {
      const y = top + row * (HEIGHT + GAP);
      places.set(id, { x: Math.round(at * step), y: Math.round(y), width: box, height: HEIGHT });
    }
  }
  const paths = lines.map(({ from, to }) => {
    const [a, b] = [places.get(from), places.get(to)];
    if (a === undefined || b === undefined) return "";
    const [x1, y1] = [a.x + a.width, a.y + HEIGHT / 2];
    const [x2, y2] = [b.x, b.y + HEIGHT / 2];
    const middle = Math.round((x1 + x2) / 2);
    return `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
  });
  return { height, places, paths };
}
