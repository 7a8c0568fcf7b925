/** What the database or the disk does not give is an error of the server, and no answer about the message or the file. */
import type { ReadableStream } from "node:stream/web";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase } from "../../../base/database/database.harness.ts";
import type { Database } from "../../../base/database/index.ts";
import { chatMessage } from "../../../base/database/schema/chat.ts";
import type { Blobs } from "../../../base/storage/blobs.ts";
import { receiveChatFile } from "../files/receive-file.ts";
import { createReports } from "../conversations/reports.ts";

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

const AWAY = new Error("the database is away");

it("A report of a message is not answered as one of a message that does not exist", async () => {
  await database.db.insert(chatMessage).values({
    id: 7n,
    sender: "lina",
    recipient: "#1",
    conversation: "#1",
    clientId: "1",
    digest: "",
    kind: 2,
    roams: true,
    sentAt: 1,
    meta: Buffer.alloc(0),
  });
  const reports = (standing: () => Promise<null>) =>
    createReports({
      db: database.db,
      appKey: "a#b",
      nextId: () => 1n,
      now: () => 1,
      mayTalk: () => Promise.resolve(false),
      blocks: () => Promise.resolve(false),
      groups: { standing },
      write: () => Promise.resolve(),
    });
  const away = reports(() => Promise.reject(AWAY)).add("wei", 7n, "ad", "");
  await expect(away).rejects.toBe(AWAY);
  const stranger = reports(() => Promise.resolve(null)).add("wei", 7n, "ad", "");
  await expect(stranger).rejects.toMatchObject({ status: 404 });
});

it.each([
  ["An upload that the disk does not give", "upload", "an id"],
  ["A file that the disk does not take", "file", new Blob(["a"])],
] as const)("%s is no fault of the sender", async (_, field, value) => {
  const form = new FormData();
  form.append(field, value);
  const request = new Request("http://localhost", { method: "POST", body: form });
  const failed = Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "write" });
  const blobs: Pick<Blobs, "spool" | "discard"> = {
    async spool(stream) {
      for await (const _chunk of stream) continue;
      throw failed;
    },
    discard: () => Promise.resolve(),
  };
  const body = request.body as ReadableStream | null;
  const type = request.headers.get("content-type") ?? "";
  const received = receiveChatFile(body, type, blobs, () => Promise.reject(failed));
  await expect(received).rejects.toBe(failed);
});
