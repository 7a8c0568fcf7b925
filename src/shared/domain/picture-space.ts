/** Where a picture lies in the element that shows it, and which place of the picture a pointer means. Pure; lengths in CSS px. */
import { PICTURE_SCALE } from "./remote-control.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The rectangle that the whole picture covers. With bars around it, it is smaller than the element; cut off, it is larger.
 *
 * @param fit the CSS value of object-fit; any other than the five counts as "contain"
 * @returns null while the picture or the element has no size
 */
export function pictureArea(box: Rect, picture: Size, fit: string): Rect | null {
  if (Math.min(box.width, box.height, picture.width, picture.height) <= 0) return null;
  if (fit === "fill") return box;
  const [wide, high] = [box.width / picture.width, box.height / picture.height];
  const contain = Math.min(wide, high);
  const scales: Readonly<Record<string, number>> = {
    cover: Math.max(wide, high),
    none: 1,
    "scale-down": Math.min(1, contain),
  };
  const scale = scales[fit] ?? contain;
  const [width, height] = [picture.width * scale, picture.height * scale];
  return {
    left: box.left + (box.width - width) / 2,
    top: box.top + (box.height - height) / 2,
    width,
    height,
  };
}

/**
 * The place in the picture, 0 to 10000 from the left and from the top.
 *
 * @param held a button is down: a place outside is moved to the edge
 * @returns null outside of the picture
 */
export function placeIn(area: Rect, { x, y }: Point, held = false): Point | null {
  const across = (x - area.left) / area.width;
  const down = (y - area.top) / area.height;
  const inside = across >= 0 && across <= 1 && down >= 0 && down <= 1;
  if (!inside && !held) return null;
  const scaled = (share: number): number =>
    Math.round(Math.min(1, Math.max(0, share)) * PICTURE_SCALE);
  return { x: scaled(across), y: scaled(down) };
}

export interface Touch extends Point {
  /** ms */
  readonly at: number;
}
const DOUBLE_TOUCH_MILLIS = 500;
const DOUBLE_TOUCH_PIXELS = 20;

/**
 * The second touch of a double touch means the place of the first one.
 *
 * @param ratio device pixels of a CSS pixel
 * @returns the former touch when the new one is within 500 ms and 20 device pixels, else the new one
 */
export function snapTouch(former: Touch | null, touch: Touch, ratio: number): Point {
  if (former === null || touch.at - former.at > DOUBLE_TOUCH_MILLIS) return touch;
  const distance = Math.hypot(touch.x - former.x, touch.y - former.y);
  return distance < DOUBLE_TOUCH_PIXELS * ratio ? former : touch;
}
