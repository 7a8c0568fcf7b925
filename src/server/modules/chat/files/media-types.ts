/**
 * Detects the type of a chat file by its first bytes. The sender's claim is ignored, because browsers trust the Content-Type that the
 * server sends.
 */

/** Pictures that a browser may show in place. SVG is excluded, because it can run scripts. */
const PICTURES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);
export const isPicture = (type: string): boolean => PICTURES.has(type);

/** The type of anything that is neither picture, sound nor film. */
export const UNKNOWN_TYPE = "application/octet-stream";
/** Bytes that `mediaType` looks at. */
export const HEAD_BYTES = 64;

const SIGNATURES: readonly (readonly [type: string, at: number, bytes: string])[] = [
  ["image/png", 0, "89504e470d0a1a0a"],
  ["image/jpeg", 0, "ffd8ff"],
  ["image/gif", 0, "474946383761"],
  ["image/gif", 0, "474946383961"],
  ["video/webm", 0, "1a45dfa3"],
  ["audio/mpeg", 0, "494433"],
  ["audio/mpeg", 0, "fffb"],
  ["audio/mpeg", 0, "fff3"],
  ["audio/aac", 0, "fff1"],
  ["audio/amr", 0, "2321414d52"],
  ["audio/ogg", 0, "4f676753"],
];

/** @param head the first `HEAD_BYTES` of the file, or fewer */
export function mediaType(head: Buffer): string {
  const holds = (at: number, hex: string): boolean =>
    head.subarray(at, at + hex.length / 2).equals(Buffer.from(hex, "hex"));
  const text = (from: number, to: number): string => head.toString("latin1", from, to);
  for (const [type, at, bytes] of SIGNATURES) if (holds(at, bytes)) return type;
  if (text(0, 4) === "RIFF") {
    if (text(8, 12) === "WEBP") return "image/webp";
    if (text(8, 12) === "WAVE") return "audio/wav";
  }
  if (text(4, 8) === "ftyp") return text(8, 11) === "M4A" ? "audio/mp4" : "video/mp4";
  return UNKNOWN_TYPE;
}
