/** A picture of what a video element shows, own or another's. */
import { AppError } from "../../shared/errors.ts";
import { type DownloadPort, download, fileName } from "./download.ts";

export interface Picture {
  readonly file: Blob;
  /** `data:image/png;base64,…` */
  readonly url: string;
}

const TYPE = "image/png";

/** @throws AppError media.no-picture when the element shows nothing */
export async function capturePicture(element: HTMLVideoElement): Promise<Picture> {
  const { videoWidth, videoHeight } = element;
  const canvas = element.ownerDocument.createElement("canvas");
  canvas.width = videoWidth;
  canvas.height = videoHeight;
  const pen = canvas.getContext("2d");
  if (videoWidth === 0 || videoHeight === 0 || pen === null) {
    throw new AppError("media.no-picture");
  }
  pen.drawImage(element, 0, 0);
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, TYPE));
  if (file === null) throw new AppError("media.no-picture");
  return { file, url: canvas.toDataURL(TYPE) };
}

/** Downloads the picture. @param at ms since the epoch */
export function savePicture(
  { file }: Picture,
  name: string,
  at: number,
  port?: DownloadPort,
): void {
  download(file, name.toLowerCase().endsWith(".png") ? name : fileName(name, at, ".png"), port);
}
