/** Annotations over the streams of a conference. */
import { z } from "../../zod.ts";
import { annotateFields } from "../confr-annotations.ts";
import { command, done } from "./command.ts";
import type { MessagePortLike } from "./rest.ts";

const isPort = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "postMessage" in value && "onmessage" in value;

export const annotationCommands = {
  /** Resolves when the server has the changes. `seq`: the marks of the stream show them from this number on. */
  annotate: command(z.object(annotateFields), z.object({ seq: z.number().int() })),
  /** Hands over a port on which the tab watches the marks (marks-port.ts). */
  watchMarks: command(z.object({ port: z.custom<MessagePortLike>(isPort) }), done),
} as const;
