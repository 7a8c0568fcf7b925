/**
 * The command message that the server sends to the members of a company when other people changed its data
 * (docs/session.md#live-data). It contains tags and never the data itself.
 */
import { z } from "../zod.ts";
import { type DataTag, dataTagSchema } from "./data-tags.ts";
import { idSchema } from "./rest/entities.ts";

/** The action of the command message. */
export const DATA_CHANGED = "dataChanged";
/** The sender. No account can have this chat user name, because "@" is not allowed there. */
export const DATA_SENDER = "@platform";

/** The ext of the message. Values are texts, as in the ext of every command message. */
export const dataChangedSchema = z.object({
  /** The company whose data changed; "" when rows of the platform changed, which every company shows. */
  supplierId: z.union([idSchema, z.literal("")]),
  /** Tags by comma. A server of a newer build may know more tags than this core. */
  tags: z
    .string()
    .max(500)
    .transform((text) =>
      text.split(",").filter((tag): tag is DataTag => dataTagSchema.safeParse(tag).success),
    ),
});
export type DataChanged = z.output<typeof dataChangedSchema>;

export const dataChangedExt = ({
  supplierId,
  tags,
}: {
  readonly supplierId: string;
  readonly tags: readonly DataTag[];
}): z.input<typeof dataChangedSchema> => ({ supplierId, tags: tags.join(",") });
