/** COPY of the same rows into the same table, including indexes and triggers: the time that the database alone needs. */
import { MessageChannel } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { Pool, type PoolClient } from "pg";
import { createEmbeddedPool, openDatabase } from "../../../src/server/base/database/index.ts";
import { migrate } from "../../../src/server/base/database/migrate.ts";
import { createProtocolServer } from "../../../src/server/base/database/protocol-server.mjs";
import { ProtocolStream } from "../../../src/server/base/database/protocol-stream.ts";
import { employeeRow } from "../../support/employees-file.ts";

const COLUMNS =
  'company_id, name, employee_no, id_number, phone, department, "position", hire_date, remark';
const COPY = `COPY employees (${COLUMNS})`;
const company = "INSERT INTO companies (name) VALUES ('COPY') RETURNING id::text AS id";

const lines = (companyId: string, rows: number): string =>
  Array.from({ length: rows }, (_, i) => [companyId, ...employeeRow(3, i)].join("\t")).join("\n");

/** ms of COPY on an embedded database in memory. */
export async function copyEmbedded(rows: number): Promise<number> {
  const pg = await PGlite.create();
  const server = createProtocolServer(pg);
  const pool = createEmbeddedPool(() => {
    const { port1, port2 } = new MessageChannel();
    server.attach(port2);
    return new ProtocolStream(port1);
  });
  try {
    await migrate(pool);
    const made = await pg.query<{ id: string }>(company);
    const blob = new Blob([lines(made.rows[0]?.id ?? "", rows)]);
    const began = performance.now();
    await pg.query(`${COPY} FROM '/dev/blob'`, [], { blob });
    return performance.now() - began;
  } finally {
    await pool.end();
    await pg.close();
  }
}

/** ms of COPY on a PostgreSQL database to which the migrations were applied. */
export async function copyPostgres(url: string, rows: number): Promise<number> {
  const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: "unused" });
  await database.close();
  const pool = new Pool({ connectionString: url, max: 1 });
  const client = await pool.connect();
  try {
    const made = await client.query<{ id: string }>(company);
    const bytes = Buffer.from(`${lines(made.rows[0]?.id ?? "", rows)}\n`);
    const began = performance.now();
    await copyIn(client, `${COPY} FROM STDIN`, bytes);
    return performance.now() - began;
  } finally {
    client.release();
    await pool.end();
  }
}

/** The interface by which node-postgres runs a query that handles the protocol itself. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}
function copyIn(client: PoolClient, text: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = {
      submit: (wire: Wire) => wire.query(text),
      handleCopyInResponse(wire: Wire) {
        wire.sendCopyFromChunk(bytes);
        wire.endCopyFrom();
      },
      handleCommandComplete: () => undefined,
      handleError: (error: Error) => reject(error),
      handleReadyForQuery: () => resolve(),
    };
    client.query(query as never);
  });
}
