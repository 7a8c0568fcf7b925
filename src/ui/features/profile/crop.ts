/** Cuts the square out of a picture, small enough for every place that shows a person. Nothing else of the file stays, such as its place. */
import { AppError } from "../../../shared/errors.ts";

/** Side of the stored picture, px. */
export const SIDE = 256;
const QUALITY = 0.9;

export async function cropped(
  address: string,
  area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): Promise<Blob> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const context = canvas.getContext("2d");
  if (context === null) throw new AppError("file.upload-failed");
  // JPEG knows no transparency.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, SIDE, SIDE);
  context.imageSmoothingQuality = "high";
  context.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, SIDE, SIDE);
  return canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
}
