/** Calls as files: what 导出 writes and 打开文件 reads (docs/session.md#quality-of-calls), and what the worker that reads one answers. */
import { z } from "../zod.ts";
import type { AnyBlob } from "./blob.ts";
import { type CallTimeline, callTimelineSchema } from "./call-timeline.ts";
import { type CallView, callViewSchema } from "./call-view.ts";

const FORMAT = "call-quality-1";
/** Account ids of the two sides of a dump of `chrome://webrtc-internals`, because such a dump contains none. */
export const DUMP_SIDE = "dump";
export const DUMP_PEER = "dump-peer";

export const callFileSchema = z.object({
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

/** No JSON; JSON of another kind; of the right kind, and with nothing that could be shown. */
export const FILE_FAULTS = ["no-json", "unknown", "empty"] as const;

export const callFileAnswerSchema = z.union([
  z.object({ view: callViewSchema, names: z.record(z.string(), z.string()) }),
  /** Why it cannot be shown, with the place of the fault. */
  z.object({ fault: z.enum(FILE_FAULTS), where: z.string() }),
]);
export type CallFileAnswer =
  | { readonly view: CallView; readonly names: Readonly<Record<string, string>> }
  | { readonly fault: (typeof FILE_FAULTS)[number]; readonly where: string };

/** The worker of a tab that reads a file of a call. */
export interface CallFileApi {
  read(file: AnyBlob): Promise<CallFileAnswer>;
}
