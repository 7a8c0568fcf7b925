/** The place that a picture keeps in its bubble. */

/** px of the largest and smallest picture in a bubble. */
const LARGEST = 300;
const SMALLEST = 72;

/** The size at which a picture is shown, known before it is loaded. */
export function shownSize(
  width: number | null,
  height: number | null,
): { readonly width: number; readonly height: number } {
  if (width === null || height === null) return { width: 220, height: 165 };
  const scale = Math.min(1, LARGEST / Math.max(width, height));
  const fit = (side: number): number => Math.max(SMALLEST, Math.round(side * scale));
  return { width: fit(width), height: fit(height) };
}
