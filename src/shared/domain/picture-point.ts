/** Where in a picture a point of its element lies. */
import { pictureArea, type Point, type Rect, type Size } from "./picture-space.ts";

/**
 * @param box the element on the page, px
 * @param picture size of the picture, px
 * @param fit how the picture fills its element, as CSS `object-fit`
 * @param point on the page, px
 * @returns fractions of the picture's sides from the left and the top; null for a point outside of the picture
 */
export function pointInPicture(box: Rect, picture: Size, fit: string, point: Point): Point | null {
  const area = pictureArea(box, picture, fit);
  if (area === null) return null;
  const x = (point.x - area.left) / area.width;
  const y = (point.y - area.top) / area.height;
  return x > 0 && x <= 1 && y > 0 && y <= 1 ? { x, y } : null;
}
