// Makes an empty database in the folder that is named. A process of its own: making one takes 600 MB, which a process that goes on
// would keep.
import { PGlite } from "@electric-sql/pglite";

const pg = await PGlite.create({ dataDir: process.argv[2] });
await pg.close();
