/**
 * A process of the bench of chat: the platform with many people, or a peer, a plain relay of websocket messages, which stores nothing
 * (`relay`) or writes each message to the database before it passes it on (`storing-relay`). It writes its port and answers "cpu" with the
 * milliseconds that it has used.
 */
import { Pool } from "pg";
import pino from "pino";
import { WebSocketServer, type WebSocket } from "ws";
import { readConfig } from "../../../src/server/base/config.ts";
import { openDatabase } from "../../../src/server/base/database/index.ts";
import { seed } from "../../../src/server/base/database/seed.ts";
import { createPasswords } from "../../../src/server/modules/accounts/passwords.ts";
import { createPlatform } from "../../../src/server/platform.ts";
import { GROUP, PEOPLE } from "./client.ts";

async function gateway(): Promise<number> {
  const config = readConfig(process.env);
  const database = await openDatabase(config);
  await seed(database.db, { demo: true, administrator: null, hash: createPasswords().hash });
  const { pool } = database;
  await pool.query(
    `INSERT INTO accounts (username, nickname, chat_user_name, password_hash)
     SELECT 'bench' || n, 'bench' || n, 'bench' || n, 'x' FROM generate_series(0, $1::int - 1) n`,
    [PEOPLE],
  );
  await pool.query(
    `INSERT INTO employees (company_id, account_id, name)
     SELECT (SELECT min(id) FROM companies), id, nickname FROM accounts WHERE username LIKE 'bench%'`,
  );
  await pool.query(
    `INSERT INTO im_groups (id, name, owner_id, public, approval, allow_invites, company_id)
     SELECT $1, 'bench', id, false, false, false, (SELECT min(id) FROM companies)
     FROM accounts WHERE username = 'bench0'`,
    [GROUP],
  );
  await pool.query(
    `INSERT INTO im_group_members (group_id, account_id)
     SELECT $1, id FROM accounts WHERE username LIKE 'bench%'`,
    [GROUP],
  );
  await pool.query("ANALYZE");
  const log = pino({ level: "error" }, process.stderr);
  const platform = await createPlatform({ config, log, database });
  return await platform.listen(0, "127.0.0.1");
}

/** A statement for each message, each person's one after the other. */
async function messageTable(
  url: string,
): Promise<(from: string, text: string) => Promise<unknown>> {
  const pool = new Pool({ connectionString: url, max: 10 });
  await pool.query(
    "CREATE TABLE messages (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sender text NOT NULL, text text NOT NULL)",
  );
  return (from, text) =>
    pool.query("INSERT INTO messages (sender, text) VALUES ($1, $2)", [from, text]);
}

/** Passes on "name text" to the socket of that name. */
async function relay(
  store: (from: string, text: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<number> {
  const sockets = new Map<string, WebSocket>();
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket, request) => {
    const name = new URL(request.url ?? "/", "http://x").searchParams.get("name") ?? "";
    sockets.set(name, socket);
    let tail: Promise<unknown> = Promise.resolve();
    socket.on("message", (data: Buffer) => {
      const text = data.toString();
      const to = text.slice(0, text.indexOf(" "));
      tail = tail
        .then(() => store(name, text))
        .then(() => {
          if (to === GROUP) for (const one of sockets.values()) one.send(text);
          else sockets.get(to)?.send(text);
        });
    });
  });
  await new Promise((resolve) => void server.once("listening", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function start(what: string | undefined): Promise<number> {
  if (what === "relay") return relay();
  if (what !== "storing-relay") return gateway();
  return relay(await messageTable(process.env["DATABASE_URL"] ?? ""));
}

const port = await start(process.argv[2]);
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: (user + system) / 1000 });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ port });
