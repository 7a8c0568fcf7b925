/** Where the pictures of a composed conference are in the recording. Pure. */
import type { Size } from "./types.ts";

export interface Cell {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Most pictures; with more members the first ones are drawn, and all are heard. */
export const MOST_CELLS = 25;
const GAP = 8;
/** Part of the width that a screen gets beside cameras. */
const SCREEN_PART = 0.78;

/** Cells of equal size with the largest area of 16:9, the last row centred. */
export function grid(count: number, { w, h }: Size, left = 0): Cell[] {
  if (count === 0) return [];
  let best = { columns: 1, width: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const width = Math.min(
      (w - GAP * (columns + 1)) / columns,
      ((h - GAP * (rows + 1)) / rows) * (16 / 9),
    );
    if (width > best.width) best = { columns, width };
  }
  const { columns, width } = best;
  const height = width * (9 / 16);
  const rows = Math.ceil(count / columns);
  const top = (h - rows * height - (rows - 1) * GAP) / 2;
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns);
    const inRow = row === rows - 1 ? count - row * columns : columns;
    const begin = left + (w - inRow * width - (inRow - 1) * GAP) / 2;
    return {
      x: begin + (i % columns) * (width + GAP),
      y: top + row * (height + GAP),
      w: width,
      h: height,
    };
  });
}

/**
 * @param screens which of the pictures are screens: the first one is large, the others are beside it
 * @returns a cell per picture, at most MOST_CELLS
 */
export function composed(screens: readonly boolean[], size: Size): Cell[] {
  const shown = screens.slice(0, MOST_CELLS);
  const large = shown.indexOf(true);
  if (large === -1 || shown.length === 1) return grid(shown.length, size);
  const width = Math.round(size.w * SCREEN_PART);
  const side = grid(shown.length - 1, { w: size.w - width, h: size.h }, width);
  const cell: Cell = { x: GAP, y: GAP, w: width - 2 * GAP, h: size.h - 2 * GAP };
  return shown.map((_, i) => (i === large ? cell : side[i < large ? i : i - 1]!));
}

/** The largest part of a cell that a picture of this size fills without being cut. */
export function contain({ x, y, w, h }: Cell, picture: Size): Cell {
  const scale = Math.min(w / picture.w, h / picture.h);
  const width = picture.w * scale;
  const height = picture.h * scale;
  return { x: x + (w - width) / 2, y: y + (h - height) / 2, w: width, h: height };
}
