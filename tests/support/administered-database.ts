/** The environment of a server on an empty PostgreSQL whose administrator is "admin", for `test.use({ serverEnv })`. */
import { DEMO_PASSWORD } from "../../src/server/base/database/seed.ts";
import { type EmptyDatabase, emptyDatabase } from "./empty-database.ts";

/** @param onMade gets the database before the server starts */
export async function administeredDatabase(
  use: (env: Record<string, string>) => Promise<void>,
  onMade: (database: EmptyDatabase) => void,
): Promise<void> {
  const database = await emptyDatabase();
  onMade(database);
  await use({
    DATABASE_URL: database.url,
    ADMIN_USERNAME: "admin",
    ADMIN_PASSWORD: DEMO_PASSWORD,
  });
  await database.drop();
}
