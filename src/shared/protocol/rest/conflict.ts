/** What a refusal says of a record that somebody else changed meanwhile (docs/server.md#versions). */
import { z } from "../../zod.ts";
import { AppError } from "../../errors.ts";

/** A record carries it in each answer; a change names the one that its writer saw. */
export const versionSchema = z.number().int().min(1).max(2_147_483_647);

export const versionsSchema = z.object({
  /** The record as it is now. */
  theirs: z.record(z.string(), z.unknown()),
  /** What the refused change wanted. */
  yours: z.record(z.string(), z.unknown()),
});
export type Versions = z.infer<typeof versionsSchema>;

const staleSchema = z.object({ versions: versionsSchema });

/** The refusal of a change whose writer saw an older version. */
export const staleError = (theirs: object, yours: object): AppError =>
  new AppError("request.conflict", { details: { versions: { theirs, yours } } });

/** Both versions, if the error says that somebody else changed the record meanwhile; otherwise null. */
export function staleVersions(error: unknown): Versions | null {
  const { code, details } = AppError.from(error);
  const parsed = staleSchema.safeParse(details);
  return code === "request.conflict" && parsed.success ? parsed.data.versions : null;
}
