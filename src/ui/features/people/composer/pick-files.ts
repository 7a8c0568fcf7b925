/** Files that a person has chosen, with what their bubbles need: a smaller picture, its size, a length (docs/chat.md#files). */
import { CHAT_FILE_MAX, fileKind, type FileKind } from "../../../../shared/domain/chat-files.ts";

export interface PickedFile {
  /** Identifies the message at every attempt to send it. */
  readonly key: string;
  readonly kind: FileKind;
  readonly name: string;
  readonly file: Blob;
  /** A smaller picture of a picture or film; null for those that are small already. */
  readonly thumb: Blob | null;
  /** px */
  readonly width: number | null;
  readonly height: number | null;
  /** seconds */
  readonly length: number | null;
}
/** Why a file cannot be sent. */
export interface Refused {
  readonly name: string;
  readonly why: "empty" | "tooLarge";
}

/** Files that are sent at once. */
export const PICK_MAX = 9;
/** px of the longer side of a smaller picture; a bubble shows at most half of it on a fine screen. */
const THUMB_SIDE = 640;
/** Bytes of a picture that needs no smaller one. */
const SMALL = 120 * 1024;
/** Bytes that the server takes for a smaller picture. */
const THUMB_MAX = 512 * 1024;
/** ms for reading a film or sound; after it the file is sent without length and picture. */
const READ_DEADLINE = 4000;

type About = Pick<PickedFile, "thumb" | "width" | "height" | "length">;
const UNKNOWN: About = { thumb: null, width: null, height: null, length: null };

async function smaller(
  source: CanvasImageSource,
  width: number,
  height: number,
): Promise<Blob | null> {
  const scale = Math.min(1, THUMB_SIDE / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext("2d")?.drawImage(source, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/webp", 0.8));
  return blob !== null && blob.size <= THUMB_MAX ? blob : null;
}

async function aboutPicture(file: Blob): Promise<About> {
  const bitmap = await createImageBitmap(file);
  try {
    const { width, height } = bitmap;
    // A smaller GIF would stand still.
    const isSmall = file.size <= SMALL || file.type === "image/gif";
    return {
      ...UNKNOWN,
      width,
      height,
      thumb: isSmall ? null : await smaller(bitmap, width, height),
    };
  } finally {
    bitmap.close();
  }
}

/** Length, size and first picture of a film or sound. */
async function aboutMedia(file: Blob, kind: "audio" | "video"): Promise<About> {
  const url = URL.createObjectURL(file);
  const element = document.createElement(kind);
  const happens = (event: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("too slow")), READ_DEADLINE);
      const end = (run: () => void) => () => {
        clearTimeout(timer);
        run();
      };
      element.addEventListener(event, end(resolve), { once: true });
      element.addEventListener(
        "error",
        end(() => reject(new Error("unreadable"))),
        { once: true },
      );
    });
  try {
    element.muted = true;
    const read = happens("loadedmetadata");
    element.src = url;
    await read;
    // whole seconds, as the wire has them, so that both sides show the same
    const seconds = Number.isFinite(element.duration) ? element.duration : null;
    const length = seconds === null ? null : Math.max(1, Math.round(seconds));
    if (!(element instanceof HTMLVideoElement) || element.videoWidth === 0) {
      return { ...UNKNOWN, length };
    }
    const { videoWidth: width, videoHeight: height } = element;
    const sought = happens("seeked");
    element.currentTime = Math.min(0.5, (seconds ?? 0) / 2);
    const thumb = await sought.then(
      () => smaller(element, width, height),
      () => null,
    );
    return { thumb, width, height, length };
  } finally {
    element.removeAttribute("src");
    URL.revokeObjectURL(url);
  }
}

/** A screenshot from the clipboard is called "image.png" in every browser, so its name says when it was pasted. */
const nameOf = (file: File, now: Date): string => {
  if (file.name !== "" && file.name !== "image.png") return file.name.slice(-255);
  const stamp = now.toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${stamp}.${file.type.split("/")[1]?.replace("jpeg", "jpg") ?? "bin"}`;
};

/** Reads what was chosen, pasted or dropped. A picture or film that this browser cannot read is sent as a file. */
export async function pickFiles(
  files: readonly File[],
): Promise<{ readonly picked: readonly PickedFile[]; readonly refused: readonly Refused[] }> {
  const refused: Refused[] = [];
  const good = files.filter((file) => {
    const why = file.size === 0 ? "empty" : file.size > CHAT_FILE_MAX ? "tooLarge" : null;
    if (why !== null) refused.push({ name: file.name, why });
    return why === null;
  });
  const picked = await Promise.all(
    good.map(async (file): Promise<PickedFile> => {
      const base = { key: crypto.randomUUID(), name: nameOf(file, new Date()), file };
      const kind = fileKind(file.type);
      try {
        if (kind === "file") return { ...base, ...UNKNOWN, kind };
        const about = await (kind === "img" ? aboutPicture(file) : aboutMedia(file, kind));
        return { ...base, ...about, kind };
      } catch {
        return { ...base, ...UNKNOWN, kind: "file" };
      }
    }),
  );
  return { picked, refused };
}
