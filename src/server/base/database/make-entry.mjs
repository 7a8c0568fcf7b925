// Creates an empty database in the given folder: for the build, and for a server that runs without one (empty-files.ts). A separate
// process, because creating one takes 600 MB, which a long-running process would not give back.
import { PGlite } from "@electric-sql/pglite";

const pg = await PGlite.create({ dataDir: process.argv[2] });
await pg.close();
