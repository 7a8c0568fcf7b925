import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHAT_FILE_MAX } from "../../../../shared/domain/chat-files.ts";
import type { Database } from "../../../base/database/index.ts";
import { openTestDatabase } from "../../../base/database/database.harness.ts";
import { chatFiles } from "../../../base/database/schema/chat-files.ts";
import { fileContents } from "../../../base/database/schema/files.ts";
import { emptyDatabase, startTestServer, type TestServer } from "../chat.harness.ts";
import { CHAT_LIMITS } from "../limits.ts";

const MEGABYTE = 1024 * 1024;
const FILES = "/hyzh/console/chatfiles";

let database: Database;
let server: TestServer;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
beforeEach(async () => {
  await emptyDatabase(database.db);
  await database.db.delete(fileContents);
  server = await startTestServer({ database, env: { UPLOAD_CHAT_MB: "30" } });
  return () => server.close();
});
afterAll(() => database.close());

/** A request of the tus protocol. */
async function ask(
  who: string | null,
  method: string,
  path: string,
  headers: Record<string, string | number> = {},
  body?: Buffer,
) {
  const response = await fetch(`http://${server.base}${path}`, {
    method,
    headers: {
      "tus-resumable": "1.0.0",
      ...(who === null ? {} : { authorization: `Bearer ${await server.token(who)}` }),
      ...Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, String(v)])),
    },
    ...(body === undefined ? {} : { body: new Uint8Array(body) }),
  });
  return {
    status: response.status,
    offset: Number(response.headers.get("upload-offset") ?? Number.NaN),
    location: response.headers.get("location") ?? "",
    text: await response.text(),
  };
}
const create = (who: string | null, size: number) =>
  ask(who, "POST", `${FILES}/resumable`, { "upload-length": size });
const send = (who: string, path: string, offset: number, part: Buffer) =>
  ask(
    who,
    "PATCH",
    path,
    { "upload-offset": offset, "content-type": "application/offset+octet-stream" },
    part,
  );
const idOf = (path: string): string => path.split("/").at(-1) ?? "";

async function finish(who: string, id: string, name = "大文件.bin") {
  const form = new FormData();
  form.append("upload", id);
  form.append("name", name);
  const response = await fetch(
    `http://${server.base}${FILES}?chat-type=CHAT&chat-target=${who === "bob" ? "alice" : "bob"}`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${await server.token(who)}` },
      body: form,
    },
  );
  return {
    status: response.status,
    body: (await response.json()) as {
      error?: string;
      entities?: [{ uuid: string; "share-secret": string }];
    },
  };
}

describe("Resumable uploads", () => {
  test("A file that comes in parts, with a break, is the file of a message, once", async () => {
    const content = Buffer.from(Array.from({ length: 6 * MEGABYTE }, (_, n) => n % 251));
    const { status, location } = await create("alice", content.length);
    expect(status).toBe(201);
    expect((await send("alice", location, 0, content.subarray(0, 4 * MEGABYTE))).offset).toBe(
      4 * MEGABYTE,
    );
    // After a break the server says what it has; a part at another place is refused.
    expect(await ask("alice", "HEAD", location)).toMatchObject({
      status: 200,
      offset: 4 * MEGABYTE,
    });
    expect((await send("alice", location, 0, content)).status).toBe(409);
    expect(await finish("alice", idOf(location))).toMatchObject({ status: 400 });
    expect(
      (await send("alice", location, 4 * MEGABYTE, content.subarray(4 * MEGABYTE))).offset,
    ).toBe(content.length);
    const { status: done, body } = await finish("alice", idOf(location));
    expect(done).toBe(200);
    const [entity] = body.entities ?? [];
    const answer = await fetch(
      `http://${server.base}${FILES}/${entity?.uuid}?share-secret=${entity?.["share-secret"]}`,
    );
    expect(answer.headers.get("content-disposition")).toContain(encodeURIComponent("大文件.bin"));
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    expect(await finish("alice", idOf(location))).toMatchObject({
      status: 404,
      body: { error: "file_expired" },
    });
  });

  test("Nobody reaches the upload of another person, and nobody without a token has one", async () => {
    const { location } = await create("alice", 100);
    for (const answer of [
      await ask("bob", "HEAD", location),
      await send("bob", location, 0, Buffer.alloc(100)),
      await ask("bob", "DELETE", location),
      await finish("bob", idOf(location)),
      await ask("alice", "GET", location),
      await ask("alice", "HEAD", `${FILES}/resumable/..%2f..%2fsecret`),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect((await create(null, 100)).status).toBe(401);
    expect((await ask("alice", "HEAD", location)).offset).toBe(0);
    expect((await ask("alice", "DELETE", location)).status).toBe(204);
    expect((await ask("alice", "HEAD", location)).status).toBe(404);
  });

  test("The limits of the usual upload hold: size of a file, space of a person, and a number of waiting files", async () => {
    expect((await create("alice", CHAT_FILE_MAX + 1)).status).toBe(413);
    expect((await create("alice", 0)).status).toBe(400);
    const { location } = await create("alice", 20 * MEGABYTE);
    const tooMuch = await create("alice", 11 * MEGABYTE);
    expect([tooMuch.status, JSON.parse(tooMuch.text)]).toMatchObject([
      413,
      { error: "file_quota" },
    ]);
    expect((await send("alice", location, 0, Buffer.alloc(21 * MEGABYTE))).status).toBe(413);
    for (let n = 1; n < CHAT_LIMITS.partsPerUser; n += 1) {
      expect((await create("alice", 100)).status).toBe(201);
    }
    expect((await create("alice", 100)).status).toBe(429);
    expect((await create("bob", 100)).status).toBe(201);
    expect(await database.db.select().from(chatFiles)).toEqual([]);
  });

  test("What has waited for a day is removed", async () => {
    const { location: old } = await create("alice", 100);
    const { location: young } = await create("alice", 100);
    const folder = join(server.dataDir, "files/parts");
    const past = (Date.now() - CHAT_LIMITS.partsMs - 1_000) / 1_000;
    for (const name of readdirSync(folder)) {
      if (name.startsWith(idOf(old))) utimesSync(join(folder, name), past, past);
    }
    await server.gateway.files.sweep();
    expect(existsSync(join(folder, idOf(old)))).toBe(false);
    expect((await ask("alice", "HEAD", old)).status).toBe(404);
    expect((await ask("alice", "HEAD", young)).status).toBe(200);
  });
});
