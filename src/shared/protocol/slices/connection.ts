/** The state of a socket, which the slices of chat, quality and worker show. */
import { z } from "../../zod.ts";

export const connectionStateSchema = z.enum(["closed", "connecting", "open", "waiting"]);
export type ConnectionState = z.infer<typeof connectionStateSchema>;
