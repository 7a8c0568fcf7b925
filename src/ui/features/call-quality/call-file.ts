/** Calls as files: what 导出 writes, and what 打开文件 reads, which is such a file or a dump of `chrome://webrtc-internals`. */
import { type CallTimeline, callTimelineSchema } from "../../../shared/protocol/call-timeline.ts";
import { z } from "../../../shared/zod.ts";
import { timelineOfDump, webrtcDumpSchema } from "./webrtc-dump.ts";

const FORMAT = "call-quality-1";

const fileSchema = z.object({
  format: z.literal(FORMAT),
  timeline: callTimelineSchema,
  names: z.record(z.string(), z.string()),
});
export interface CallFile {
  readonly timeline: CallTimeline;
  /** Names of the chat user names in it. */
  readonly names: Readonly<Record<string, string>>;
}

export const writeCallFile = ({ timeline, names }: CallFile): string =>
  JSON.stringify({ format: FORMAT, timeline, names });

export type FileFault =
  /** No JSON. */
  | "no-json"
  /** JSON of another kind. */
  | "unknown"
  /** Of the right kind, and with nothing that could be shown. */
  | "empty";

/** @returns what the file holds, or why it cannot be shown with the place of the fault */
export function readCallFile(
  text: string,
): CallFile | { readonly fault: FileFault; readonly where: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: "no-json", where: "" };
  }
  const isDump = typeof json === "object" && json !== null && "PeerConnections" in json;
  const read = isDump ? webrtcDumpSchema.safeParse(json) : fileSchema.safeParse(json);
  if (!read.success) {
    return { fault: "unknown", where: read.error.issues[0]?.path.join(".") ?? "" };
  }
  let found: CallFile;
  try {
    found =
      "PeerConnections" in read.data
        ? { timeline: timelineOfDump(read.data), names: {} }
        : read.data;
  } catch {
    return { fault: "unknown", where: "values" };
  }
  const points = found.timeline.sides.some(({ streams }) =>
    streams.some((stream) => stream.points.length > 0),
  );
  return points ? found : { fault: "empty", where: "" };
}
