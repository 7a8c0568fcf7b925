/** For tests of backups: a database of either kind, with companies as its content. */
import { openDatabase } from "./index.ts";
import { companies } from "./schema/base.ts";

export interface Place {
  readonly DATA_DIR: string;
  /** Undefined: the embedded database in DATA_DIR. */
  readonly DATABASE_URL: string | undefined;
}

/** @param add a company to add first. @returns the sorted names of all companies */
export async function names(place: Place, add?: string): Promise<string[]> {
  const database = await openDatabase(place);
  try {
    if (add !== undefined) await database.db.insert(companies).values({ name: add });
    return (await database.db.select().from(companies)).map((row) => row.name).sort();
  } finally {
    await database.close();
  }
}
