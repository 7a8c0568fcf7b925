/** What a sender sends of its picture on a weak network (docs/calls.md#weak-network), without a negotiation. */
import type { PictureLevel } from "../../shared/domain/picture-levels.ts";

/** Lines of a small picture. */
export const SMALL_LINES = 160;
/** bit/s of a small picture: beside sound, it fits 200 kbit/s. */
export const SMALL_BITS = 80_000;
const SMALL_FRAMES = 12;
/** Where the track does not say how many lines it has. */
const USUAL_LINES = 360;

/** A browser that refuses keeps its picture; the network then decides about it as before. */
export function limitPicture(
  sender: RTCRtpSender,
  level: PictureLevel,
  report: (message: string) => void,
): void {
  const parameters = sender.getParameters();
  const [encoding] = parameters.encodings ?? [];
  if (encoding === undefined) return;
  const lines = sender.track?.getSettings().height ?? USUAL_LINES;
  encoding.active = level !== "off";
  encoding.scaleResolutionDownBy = level === "full" ? 1 : Math.max(1, lines / SMALL_LINES);
  if (level === "full") {
    delete encoding.maxBitrate;
    delete encoding.maxFramerate;
  } else {
    encoding.maxBitrate = SMALL_BITS;
    encoding.maxFramerate = SMALL_FRAMES;
  }
  sender
    .setParameters(parameters)
    .catch((error: unknown) => report(`the picture stays as it is: ${String(error)}`));
}
