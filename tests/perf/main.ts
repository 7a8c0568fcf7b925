/**
 * npm run bench [name] [-- --json FILE] [--rows 100000 --shapes shared,inline,csv --part readers|whole] (import only)
 * [--connected 2000 --rate 1000 --seconds 10] (chat only)
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { benchCall } from "./call.bench.ts";
import { benchChat, type ChatBenchOptions } from "./chat.bench.ts";
import { benchConference } from "./conference.bench.ts";
import { benchImport, type ImportBenchOptions } from "./import.bench.ts";
import { benchLoad } from "./load.bench.ts";
import { benchMedia } from "./media.bench.ts";
import { benchOps } from "./ops.bench.ts";
import { type Figure, missed, table } from "./report.ts";
import { benchServer } from "./server.bench.ts";
import { benchTable } from "./table.bench.ts";
import { benchTabs } from "./tabs.bench.ts";

type Options = ImportBenchOptions & ChatBenchOptions;
const benches: Readonly<Record<string, (options: Options) => Promise<Figure[]>>> = {
  tabs: benchTabs,
  call: benchCall,
  chat: benchChat,
  conference: benchConference,
  server: benchServer,
  media: benchMedia,
  import: benchImport,
  table: benchTable,
  load: benchLoad,
  ops: benchOps,
};

const { values, positionals } = parseArgs({
  // npm removes the "--"; a direct call keeps it.
  args: process.argv.slice(2).filter((arg) => arg !== "--"),
  allowPositionals: true,
  options: {
    json: { type: "string" },
    rows: { type: "string" },
    shapes: { type: "string" },
    part: { type: "string" },
    connected: { type: "string" },
    rate: { type: "string" },
    seconds: { type: "string" },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(benches);
const all: Figure[] = [];
for (const name of names) {
  const bench = benches[name];
  if (bench === undefined) {
    console.error(
      `There is no benchmark "${name}"; there are: ${Object.keys(benches).join(", ")}.`,
    );
    process.exit(1);
  }
  const figures = await bench(values);
  all.push(...figures);
  console.log(`\n${name}\n${table(figures)}`);
}
const failures = missed(all);
for (const failure of failures) console.error(`MISSED  ${failure}`);
if (failures.length > 0) process.exitCode = 1;
if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`);
  console.log(`\nWritten to ${values.json}`);
}
