/** Reads a file of a call: what 导出 wrote, or a dump of `chrome://webrtc-internals` (docs/session.md#quality-of-calls). */
import {
  type CallFile,
  callFileSchema,
  type FILE_FAULTS,
} from "../../shared/protocol/call-file.ts";
import { timelineOfDump, webrtcDumpSchema } from "./webrtc-dump.ts";

/** @returns what the file holds, or why it cannot be shown with the place of the fault */
export function readCallFile(
  text: string,
): CallFile | { readonly fault: (typeof FILE_FAULTS)[number]; readonly where: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: "no-json", where: "" };
  }
  const isDump = typeof json === "object" && json !== null && "PeerConnections" in json;
  const read = isDump ? webrtcDumpSchema.safeParse(json) : callFileSchema.safeParse(json);
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
