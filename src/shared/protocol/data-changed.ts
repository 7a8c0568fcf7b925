/**
 * The command message that the server sends to the members of a company when other people changed its data
 * (docs/session.md#live-data). It contains tags and never the data itself.
 */
import { z } from "../zod.ts";
import { type DataTag, dataTagSchema } from "./data-tags.ts";
import { PLATFORM_SENDER } from "./platform-sender.ts";
import { idSchema } from "./rest/entities.ts";

/** The action of the command message. */
export const DATA_CHANGED = "dataChanged";
/** The sender on the own gateway. No account can have this chat user name, because "@" is not allowed there. */
export const DATA_SENDER = "@platform";
/** The sender on Easemob's cloud, an account that the server registers there: the cloud's names have no "@". */
export const CLOUD_DATA_SENDER = PLATFORM_SENDER;
const SENDERS: readonly string[] = [DATA_SENDER, CLOUD_DATA_SENDER];
/** Whether a chat user name is the platform's, which alone says that data changed or an alert began. */
export const isPlatformSender = (from: string): boolean => SENDERS.includes(from);

/** Characters of the records in one message. */
const RECORDS_LENGTH = 500;

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
  /** Records by comma, as `tag:id`. */
  records: z
    .string()
    .max(RECORDS_LENGTH)
    .default("")
    .transform((text) => text.split(",").filter((record) => record !== "")),
  steady: z
    .string()
    .default("")
    .transform((text) => text === "1"),
  left: z
    .string()
    .default("")
    .transform((text) => text === "1"),
  /** ms */
  spread: z.coerce.number().int().min(0).max(10_000).catch(0),
});
export type DataChanged = z.output<typeof dataChangedSchema>;

/** ms by which one more core that may fetch the data lengthens the time over which all do. */
const SPREAD_EACH = 20;
/** The longest such time, ms. A change by somebody else shows within two seconds. */
const SPREAD_MOST = 1000;

/** @param receivers cores to which the message goes. The more there are, the longer is the time over which they fetch the data. */
export function dataChangedExt(
  changes: {
    readonly supplierId: string | null;
    readonly tags: readonly DataTag[];
    readonly records?: readonly string[] | undefined;
    readonly steady?: boolean | undefined;
    readonly left?: boolean | undefined;
  },
  receivers: number,
): Record<string, string> {
  const { supplierId, tags, records = [], steady = false, left = false } = changes;
  const named = records.join(",");
  return {
    supplierId: supplierId ?? "",
    tags: tags.join(","),
    // too many records are as good as all
    ...(named !== "" && named.length <= RECORDS_LENGTH ? { records: named } : {}),
    ...(steady ? { steady: "1" } : {}),
    ...(left ? { left: "1" } : {}),
    ...(receivers > 1 ? { spread: String(Math.min(SPREAD_MOST, receivers * SPREAD_EACH)) } : {}),
  };
}
