/** After a file became a content, no upload can change it (docs/server.md#uploads-in-parts). */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase } from "../database/database.harness.ts";
import type { Database } from "../database/index.ts";
import { createBlobs, type Blobs } from "./blobs.ts";
import { createParts } from "./parts.ts";

const OWNER = { group: "1", person: "2" };
const BYTES = Buffer.alloc(200_000, "0123456789abcdef");
const HASH = createHash("sha256").update(BYTES).digest("hex");
const PATH = "/parts";

const dataDir = mkdtempSync(join(tmpdir(), "storage-"));
let database: Database;
let blobs: Blobs;
const refuse = (what: string) => () => new Error(what);
const parts = createParts({
  folder: dataDir,
  name: "company-parts",
  path: PATH,
  basePath: "",
  maxSize: 1_000_000,
  perPerson: 5,
  keptMs: 86_400_000,
  admit: () => Promise.resolve(),
  refusals: {
    missing: refuse("missing"),
    incomplete: refuse("incomplete"),
    withoutSize: refuse("without size"),
    tooMany: refuse("too many"),
    answer: () => undefined,
  },
});
beforeAll(async () => {
  database = await openTestDatabase();
  blobs = createBlobs({ folder: dataDir, db: database.db, now: Date.now });
}, 60_000);
afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A complete upload, and what another process that serves a part of it still has open. */
async function sent(): Promise<{ id: string; other: FileHandle }> {
  const headers = { "tus-resumable": "1.0.0" };
  const made = await parts.handle(
    OWNER,
    new Request(`http://localhost${PATH}`, {
      method: "POST",
      headers: { ...headers, "upload-length": String(BYTES.length) },
    }),
  );
  const location = made.headers.get("location") ?? "";
  const answer = await parts.handle(
    OWNER,
    new Request(`http://localhost${location}`, {
      method: "PATCH",
      headers: {
        ...headers,
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
      },
      body: new Uint8Array(BYTES),
    }),
  );
  expect(answer.status).toBe(204);
  const id = location.split("/").at(-1) ?? "";
  return { id, other: await open(join(dataDir, "company-parts", id), "r+") };
}
const contentPath = join(dataDir, HASH.slice(0, 2), HASH);

it.each(["share", "takeOver"] as const)(
  "A part that another process still writes does not reach the content (%s)",
  async (how) => {
    const { id, other } = await sent();
    const file = await parts[how](OWNER, id);
    expect([file.hash, file.size]).toEqual([HASH, BYTES.length]);
    await blobs.keep(file);
    await parts.drop(OWNER, id);
    await other.write("something else", 0);
    await other.close();
    expect(readFileSync(contentPath).equals(BYTES)).toBe(true);
    expect(readdirSync(join(dataDir, "tmp"))).toEqual([]);
    expect(readdirSync(join(dataDir, "company-parts"))).toEqual([]);
  },
);

it("Only one of two requests for a file gets it, and another one finds it missing", async () => {
  const { id, other } = await sent();
  await other.close();
  const both = await Promise.allSettled([parts.takeOver(OWNER, id), parts.takeOver(OWNER, id)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [lost] = both.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
  expect(lost).toBe("Error: missing");
  for (const one of both) if (one.status === "fulfilled") await blobs.discard(one.value);
});

it("A content that exists stays the same file; one of another size is replaced", async () => {
  const spool = async () => {
    const { id, other } = await sent();
    await other.close();
    return parts.takeOver(OWNER, id);
  };
  await blobs.keep(await spool());
  const { ino } = statSync(contentPath);
  await blobs.keep(await spool());
  expect(statSync(contentPath).ino).toBe(ino);
  const damaged = await open(contentPath, "r+");
  await damaged.truncate(10);
  await damaged.close();
  await blobs.keep(await spool());
  expect(readFileSync(contentPath).equals(BYTES)).toBe(true);
  expect(readdirSync(join(dataDir, "tmp"))).toEqual([]);
});

it("A folder and a record that cannot be read are an error, not a file that is missing or takes no space", async () => {
  const { id, other } = await sent();
  await other.close();
  expect(await parts.waiting(OWNER.group)).toBe(BYTES.length);
  const folder = join(dataDir, "company-parts");
  const [record, aside] = [join(folder, `${id}.json`), join(dataDir, "aside")];
  await rename(record, aside);
  await mkdir(record);
  const reads = [() => parts.waiting(OWNER.group), () => parts.share(OWNER, id)];
  for (const read of reads) {
    await expect(read()).rejects.toMatchObject({ code: "EISDIR" });
  }
  await rm(record, { recursive: true });
  await rename(aside, record);
  await rename(folder, aside);
  await writeFile(folder, "");
  for (const read of [...reads, () => parts.sweep()]) {
    await expect(read()).rejects.toMatchObject({ code: "ENOTDIR" });
  }
  await rm(folder);
  await expect(parts.share(OWNER, id)).rejects.toThrow("missing");
  await rename(aside, folder);
  await blobs.discard(await parts.takeOver(OWNER, id));
  expect(await parts.waiting(OWNER.group)).toBe(0);
});
