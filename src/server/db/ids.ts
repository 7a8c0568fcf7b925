/** Ids are 64-bit numbers in the database and strings everywhere else: a 64-bit number does not survive JavaScript. */
import { customType } from "drizzle-orm/pg-core";

const MAX = 2n ** 63n - 1n;

/** A bigint column whose values are decimal strings, as the driver hands them over. */
export const idColumn = customType<{ data: string; driverData: string }>({
  dataType: () => "bigint",
});

/** Whether the text can be an id of ours: anything else is not asked of the database, which would refuse the whole query. */
export function isId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= MAX;
}
