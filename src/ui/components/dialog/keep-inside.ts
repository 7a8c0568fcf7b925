/** Where a dialog may be moved: its title stays in the window. Pure. */

export interface Offset {
  /** px from where the dialog opened */
  readonly x: number;
  readonly y: number;
}
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
export interface Area {
  readonly width: number;
  readonly height: number;
}

/** px of an arrow key; with Shift */
export const STEP = { small: 10, large: 50 } as const;

/**
 * A place between two ends. A dialog that is larger than the window keeps its beginning in sight, since its title is there.
 */
const between = (wanted: number, least: number, most: number): number =>
  Math.max(least, Math.min(wanted, most));

/**
 * @param home of the dialog in the window, not moved
 * @returns the offset next to the wanted one with which the whole dialog is in the window
 */
export const keptInside = (wanted: Offset, home: Frame, area: Area): Offset => ({
  x: between(wanted.x, -home.left, area.width - home.width - home.left),
  y: between(wanted.y, -home.top, area.height - home.height - home.top),
});

/** How far a key moves the dialog; null for other keys. */
export function stepOf(key: string, shift: boolean): Offset | null {
  const step = shift ? STEP.large : STEP.small;
  if (key === "ArrowLeft") return { x: -step, y: 0 };
  if (key === "ArrowRight") return { x: step, y: 0 };
  if (key === "ArrowUp") return { x: 0, y: -step };
  return key === "ArrowDown" ? { x: 0, y: step } : null;
}
