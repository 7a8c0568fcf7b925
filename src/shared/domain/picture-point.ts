/** Where in a picture a point of its element lies. */

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
/** How the picture fills its element, as CSS `object-fit`. */
export type PictureFit = "contain" | "cover" | "fill";

/**
 * @param box the element on the page, px
 * @param picture size of the picture, px
 * @param point on the page, px
 * @returns fractions of the picture's sides from the left and the top; null for a point outside of the picture
 */
export function pointInPicture(
  box: Box,
  picture: { readonly width: number; readonly height: number },
  fit: PictureFit,
  point: { readonly x: number; readonly y: number },
): { readonly x: number; readonly y: number } | null {
  if (picture.width <= 0 || picture.height <= 0 || box.width <= 0 || box.height <= 0) return null;
  const [across, down] = [box.width / picture.width, box.height / picture.height];
  const scale = fit === "cover" ? Math.max(across, down) : Math.min(across, down);
  const width = fit === "fill" ? box.width : picture.width * scale;
  const height = fit === "fill" ? box.height : picture.height * scale;
  const x = (point.x - box.left - (box.width - width) / 2) / width;
  const y = (point.y - box.top - (box.height - height) / 2) / height;
  return x > 0 && x <= 1 && y > 0 && y <= 1 ? { x, y } : null;
}
