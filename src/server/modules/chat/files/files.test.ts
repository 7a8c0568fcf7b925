import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fileContents } from "../../../base/database/schema/files.ts";
import { chatFiles } from "../../../base/database/schema/chat-files.ts";
import { openTestDatabase } from "../../../base/database/database.harness.ts";
import type { Database } from "../../../base/database/index.ts";
import { CHAT_FILE_MAX } from "../../../../shared/domain/chat-files.ts";
import { emptyDatabase, startTestServer, type TestServer } from "../chat.harness.ts";
import { CHAT_LIMITS } from "../limits.ts";
import { mediaType } from "./media-types.ts";

const PNG = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(100, 7)]);
const SMALL = Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.alloc(20, 1)]);
const HTML = Buffer.from("<html><script>alert(1)</script></html>");

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

interface Entity {
  uuid: string;
  "share-secret": string;
  "file-metadata": { "content-type": string; "content-length": number };
}
interface Answer {
  entities?: Entity[];
  error?: string;
  error_description?: string;
}
type Part = readonly [field: string, name: string, content: Buffer];

async function upload(
  who: string | null,
  parts: readonly Part[],
  query = "?chat-type=CHAT&chat-target=bob",
): Promise<{ status: number; body: Answer }> {
  const form = new FormData();
  form.append("thumbnail-width", "100");
  for (const [field, name, content] of parts) {
    form.append(field, new Blob([new Uint8Array(content)], { type: "text/html" }), name);
  }
  const response = await fetch(`http://${server.base}/hyzh/console/chatfiles${query}`, {
    method: "POST",
    headers: {
      "restrict-access": "true",
      ...(who === null ? {} : { authorization: `Bearer ${await server.token(who)}` }),
    },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Answer };
}
async function stored(...parts: readonly Part[]): Promise<Entity> {
  const { status, body } = await upload("alice", parts);
  const entity = body.entities?.[0];
  expect(status).toBe(200);
  if (entity === undefined) throw new Error("the upload has no answer");
  return entity;
}
const get = (uuid: string, query: string, headers: Record<string, string> = {}) =>
  fetch(`http://${server.base}/hyzh/console/chatfiles/${uuid}${query}`, { headers });

describe("Files of chat messages", () => {
  test("A picture comes back by its secret, in the query without a token, or in a header", async () => {
    const entity = await stored(["file", "照片 1.png", PNG]);
    expect(entity["file-metadata"]).toEqual({
      "content-type": "image/png",
      "content-length": PNG.length,
    });
    const secret = entity["share-secret"];
    const shown = await get(entity.uuid, `?em-redirect=true&share-secret=${secret}`);
    expect(shown.status).toBe(200);
    expect(shown.headers.get("content-type")).toBe("image/png");
    expect(shown.headers.get("content-disposition")).toBe(
      `inline; filename="file"; filename*=UTF-8''${encodeURIComponent("照片 1.png")}`,
    );
    expect(Buffer.from(await shown.arrayBuffer()).equals(PNG)).toBe(true);
    const byHeader = await get(entity.uuid, "", { "share-secret": secret });
    expect(byHeader.status).toBe(200);
    await byHeader.body?.cancel();
  });

  test("Whatever its name and sender say, anything but a safe picture is an attachment of no type that runs", async () => {
    const entity = await stored(["file", "page.png", HTML]);
    const answer = await get(entity.uuid, `?share-secret=${entity["share-secret"]}`);
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; /);
    expect(await answer.text()).toBe(HTML.toString());
  });

  test("The smaller picture that the client adds answers for thumbnail=true, otherwise the file itself does", async () => {
    const both = await stored(["file", "a.png", PNG], ["thumbnail", "t.jpg", SMALL]);
    const small = await get(both.uuid, `?share-secret=${both["share-secret"]}&thumbnail=true`);
    expect(small.headers.get("content-type")).toBe("image/jpeg");
    expect(Buffer.from(await small.arrayBuffer()).equals(SMALL)).toBe(true);
    const frame = await get(both.uuid, `?share-secret=${both["share-secret"]}&vframe=true`);
    expect(Buffer.from(await frame.arrayBuffer()).equals(SMALL)).toBe(true);
    const alone = await stored(["file", "a.png", PNG]);
    const none = await get(alone.uuid, `?share-secret=${alone["share-secret"]}&vframe=true`);
    expect(none.status).toBe(404);
    const whole = await get(alone.uuid, `?share-secret=${alone["share-secret"]}&thumbnail=true`);
    expect(Buffer.from(await whole.arrayBuffer()).equals(PNG)).toBe(true);
    expect(
      await upload("alice", [
        ["file", "a.png", PNG],
        ["thumbnail", "t.png", HTML],
      ]),
    ).toMatchObject({ status: 400, body: { error_description: "the thumbnail is no picture" } });
  });

  test("A wrong secret and an unknown file are refused with the texts that the SDK knows", async () => {
    const entity = await stored(["file", "a.png", PNG]);
    for (const query of ["", "?share-secret=wrong", `?share-secret=${entity.uuid}`]) {
      const answer = await get(entity.uuid, query, {
        authorization: `Bearer ${await server.token("carol")}`,
      });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error_description: "chatfile no permission" });
    }
    for (const uuid of ["00000000-0000-4000-8000-000000000000", "x'--", "%2e%2e%2fetc"]) {
      const answer = await get(uuid, `?share-secret=${entity["share-secret"]}`);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error_description: "file_expired" });
    }
    const [row] = await database.db.select().from(chatFiles);
    expect(row?.secretHash).not.toContain(entity["share-secret"]);
  });

  test("Only a person with a token uploads, and only for someone whom they may write to", async () => {
    const parts: Part[] = [["file", "a.png", PNG]];
    expect((await upload(null, parts)).status).toBe(401);
    expect(await upload("mallory", parts)).toMatchObject({
      status: 403,
      body: { error_description: "nonroster" },
    });
    expect((await upload("alice", parts, "?chat-type=CHAT")).status).toBe(400);
    expect((await upload("alice", parts, "?chat-type=ALL&chat-target=bob")).status).toBe(400);
    expect(await database.db.select().from(chatFiles)).toEqual([]);
    expect((await upload("alice", parts, "?chat-type=GROUP&chat-target=7")).status).toBe(200);
  });

  test("The upload in parts is unknown, so that the SDK uploads in one piece", async () => {
    const answer = await fetch(`http://${server.base}/hyzh/console/sdk/chatfiles/part-upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${await server.token("alice")}` },
    });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: "service_resource_not_found" });
  });

  test("Empty, missing, repeated and too large files are refused and leave nothing behind", async () => {
    const refused: (readonly [number, readonly Part[]])[] = [
      [400, []],
      [400, [["file", "a.txt", Buffer.alloc(0)]]],
      [400, [["other", "a.txt", PNG]]],
      [
        400,
        [
          ["file", "a.txt", PNG],
          ["file", "b.txt", PNG],
        ],
      ],
      [413, [["file", "a.bin", Buffer.alloc(CHAT_FILE_MAX + 1)]]],
      [
        413,
        [
          ["file", "a.png", PNG],
          ["thumbnail", "t.png", Buffer.alloc(CHAT_LIMITS.thumbBytes + 1)],
        ],
      ],
    ];
    for (const [status, parts] of refused) {
      expect((await upload("alice", parts)).status).toBe(status);
    }
    expect(await database.db.select().from(chatFiles)).toEqual([]);
    expect(await database.db.select().from(fileContents)).toEqual([]);
  });

  test("The files of a person take limited space", async () => {
    const big = Buffer.alloc(16 * 1024 * 1024, 3);
    await stored(["file", "a.bin", big]);
    expect(await upload("alice", [["file", "b.bin", big]])).toMatchObject({
      status: 413,
      body: { error: "file_quota" },
    });
    expect((await upload("carol", [["file", "b.bin", big]])).status).toBe(200);
  });

  test("A part of a film is answered with 206, one that it does not have with 416", async () => {
    const entity = await stored(["file", "a.png", PNG]);
    const query = `?share-secret=${entity["share-secret"]}`;
    const part = await get(entity.uuid, query, { range: "bytes=0-7" });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 0-7/${PNG.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(PNG.subarray(0, 8))).toBe(true);
    expect((await get(entity.uuid, query, { range: "bytes=900-" })).status).toBe(416);
  });

  test("An expired file is deleted", async () => {
    const entity = await stored(["file", "a.png", PNG]);
    const { gateway } = server;
    await gateway.files.sweep();
    expect(await database.db.select().from(chatFiles)).toHaveLength(1);
    const old = new Date(Date.now() - CHAT_LIMITS.fileMs - 1000);
    await database.db.update(chatFiles).set({ createdAt: old });
    await gateway.files.sweep();
    expect((await get(entity.uuid, `?share-secret=${entity["share-secret"]}`)).status).toBe(404);
  });
});

test.each([
  ["474946383961", "image/gif"],
  ["ffd8ffdb", "image/jpeg"],
  ["52494646000000005745425056503820", "image/webp"],
  ["000000186674797069736f6d", "video/mp4"],
  ["000000186674797 04d344120".replaceAll(" ", ""), "audio/mp4"],
  ["1a45dfa3", "video/webm"],
  ["3c737667", "application/octet-stream"],
  ["", "application/octet-stream"],
])("Bytes %s are %s", (hex, type) => {
  expect(mediaType(Buffer.from(hex, "hex"))).toBe(type);
});
