/** Where the picture of a video lies in its element, and points of the one in the other. */
import { PICTURE_SCALE } from "../../shared/domain/annotations.ts";

/** A rectangle in CSS px, from the left top corner of the element. It may reach beyond the element. */
export interface PictureBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The picture is shown mirrored, as the own camera is. */
  readonly mirrored: boolean;
}
export interface Size {
  readonly width: number;
  readonly height: number;
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
  if (picture.width <= 0 || picture.height <= 0) return null;
  const ratios = [element.width / picture.width, element.height / picture.height] as const;
  const scale = fit === "cover" ? Math.max(...ratios) : fit === "none" ? 1 : Math.min(...ratios);
  const [width, height] =
    fit === "fill"
      ? [element.width, element.height]
      : [picture.width * scale, picture.height * scale];
  return {
    left: (element.width - width) / 2,
    top: (element.height - height) / 2,
    width,
    height,
    mirrored,
  };
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
