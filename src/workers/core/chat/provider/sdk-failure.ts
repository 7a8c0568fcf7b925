import { z } from "../../../../shared/zod.ts";
import { ChatFailure } from "./port.ts";

const failureSchema = z.object({
  type: z.coerce.number().catch(999),
  message: z.string().optional(),
  reason: z.string().optional(),
});
/** The SDK rejects with plain objects, Errors, or objects that contain an XHR; only a number and a text are taken. */
export function toFailure(value: unknown): ChatFailure {
  if (value instanceof ChatFailure) return value;
  const parsed = failureSchema.safeParse(value);
  if (!parsed.success) return new ChatFailure(999, "unknown failure of the chat SDK");
  return new ChatFailure(parsed.data.type, parsed.data.message ?? parsed.data.reason ?? "");
}
