/**
 * Ids are 64-bit numbers in the database and strings everywhere else, because JavaScript numbers lose precision above 53 bits.
 */
import { customType } from "drizzle-orm/pg-core";

const MAX = 2n ** 63n - 1n;

/** A bigint column whose values are decimal strings, as the driver returns them. */
export const idColumn = customType<{ data: string; driverData: string }>({
  dataType: () => "bigint",
});

/** Whether the text is a valid id. Check before querying: the database would fail the whole query on an invalid one. */
export function isId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= MAX;
}
