/** Where the picture of a video lies in its element, and points of the one in the other. */
import { PICTURE_SCALE } from "../../shared/domain/remote-control.ts";
import { pictureArea, type Rect, type Size } from "../../shared/domain/picture-space.ts";

/** A rectangle in CSS px, from the left top corner of the element. It may reach beyond the element. */
export interface PictureBox extends Rect {
  /** The picture is shown mirrored, as the own camera is. */
  readonly mirrored: boolean;
}

/**
 * @param picture size of the picture, px; 0 before the first frame
 * @param element size of the element, px
 * @param fit `object-fit` of the element
 * @returns null while the picture has no size
 */
export function pictureBox(
  picture: Size,
  element: Size,
  fit: string,
  mirrored: boolean,
): PictureBox | null {
  const area = pictureArea({ left: 0, top: 0, ...element }, picture, fit);
  return area === null ? null : { ...area, mirrored };
}

const clamp = (value: number): number =>
  Math.min(PICTURE_SCALE, Math.max(0, Math.round(value * PICTURE_SCALE)));

/** A point of the element in parts of the picture. A point outside the picture comes to its edge. */
export function toPicture(box: PictureBox, x: number, y: number): readonly [number, number] {
  const across = (x - box.left) / box.width;
  return [clamp(box.mirrored ? 1 - across : across), clamp((y - box.top) / box.height)];
}

/** A point of the picture, in CSS px of the element. */
export function fromPicture(box: PictureBox, x: number, y: number): readonly [number, number] {
  const across = x / PICTURE_SCALE;
  return [
    box.left + (box.mirrored ? 1 - across : across) * box.width,
    box.top + (y / PICTURE_SCALE) * box.height,
  ];
}
