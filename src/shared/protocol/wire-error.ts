/** The schema of an AppError on a port or a wire. Its own file, because the login needs errors and not zod. */
import { ERROR_CATALOGUE, type ErrorCode, type WireError } from "../errors.ts";
import { z } from "../zod.ts";

export const errorCodeSchema = z.enum(Object.keys(ERROR_CATALOGUE) as [ErrorCode, ...ErrorCode[]]);

export const wireErrorSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  retryable: z.boolean(),
  details: z.record(z.string(), z.unknown()).optional(),
}) satisfies z.ZodType<WireError>;
