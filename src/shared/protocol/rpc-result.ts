/** Answers of the core and of the workers of a tab. */
import { wireErrorSchema } from "./wire-error.ts";
import { z } from "../zod.ts";

/** What a command resolves to on the port. Errors are values, because a thrown error would lose its code there. */
export const rpcResultSchema = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: wireErrorSchema }),
]);
export type RpcResult =
  | { ok: true; value: unknown }
  | { ok: false; error: z.infer<typeof wireErrorSchema> };
