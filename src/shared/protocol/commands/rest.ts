/** REST calls of pages, and the reads that a tab watches. */
import { z } from "../../zod.ts";
import { command, done, inCompany } from "./command.ts";

/** What the core uses of a MessagePort; this folder knows no DOM. */
export interface MessagePortLike {
  postMessage(message: unknown): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  close(): void;
}
const isPort = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "postMessage" in value && "onmessage" in value;

export const callSchema = z.object({
  call: z.string().max(64),
  params: z.unknown().optional(),
  query: z.unknown().optional(),
  body: z.unknown().optional(),
});

export const restCommands = {
  /** Makes a REST call for a page. The call must say that pages may make it; CoreCommands types input and answer by its id. */
  call: inCompany(command(callSchema, z.unknown())),
  /** Hands over the port on which the tab watches reads (watch-port.ts); a tab has one. */
  watch: command(z.object({ port: z.custom<MessagePortLike>(isPort) }), done),
} as const;
