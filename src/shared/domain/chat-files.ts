/** Rules of files in chat that both sides keep (docs/chat.md#files). */

/** Bytes of one file. */
export const CHAT_FILE_MAX = 20 * 1024 * 1024;

/** Bytes of a file above which it is uploaded in parts. */
export const RESUMABLE_FROM = 5 * 1024 * 1024;

/** Kinds of messages that carry a file. */
export const FILE_KINDS = ["img", "file", "audio", "video"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** Types that every browser shows as a picture. An SVG is sent as a file, because it can run scripts. */
const PICTURES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

/** How a file of this MIME type is sent. */
export function fileKind(type: string): FileKind {
  if (PICTURES.has(type)) return "img";
  if (type.startsWith("audio/")) return "audio";
  if (type.startsWith("video/")) return "video";
  return "file";
}

/** A size for people, e.g. 1.5 MB. */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  const megabytes = kilobytes / 1024;
  const [value, unit] =
    kilobytes < 1024
      ? [kilobytes, "KB"]
      : megabytes < 1024
        ? [megabytes, "MB"]
        : [megabytes / 1024, "GB"];
  return `${value < 10 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)} ${unit}`;
}
