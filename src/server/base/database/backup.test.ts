import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { backup, restore } from "./backup.ts";
import { names } from "./backup.harness.ts";
import { copyEmptyDatabase } from "./empty.harness.ts";
import { openDatabase } from "./index.ts";

const root = mkdtempSync(join(tmpdir(), "backup-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("The embedded database", () => {
  const place = { DATA_DIR: join(root, "data"), DATABASE_URL: undefined };
  const file = join(root, "a.dump");

  it("is backed up while the server is stopped, and the backup never overwrites a file", async () => {
    copyEmptyDatabase(join(place.DATA_DIR, "db"));
    await names(place, "甲");
    mkdirSync(join(place.DATA_DIR, "files", "ab"), { recursive: true });
    writeFileSync(join(place.DATA_DIR, "files", "ab", "abcd"), "an upload");
    writeFileSync(join(place.DATA_DIR, "secret"), "s1");
    const running = await openDatabase(place);
    await expect(backup(place, file)).rejects.toThrow("is in use by another server");
    await running.close();
    expect(existsSync(file)).toBe(false);
    await backup(place, file);
    await expect(backup(place, file)).rejects.toThrow("already exists");
  });

  it("is restored into an empty folder, and over existing data only with force", async () => {
    const empty = { DATA_DIR: join(root, "empty"), DATABASE_URL: undefined };
    expect(await restore(empty, file, false)).toBe(null);
    expect(await names(empty)).toEqual(["甲"]);
    expect(readFileSync(join(empty.DATA_DIR, "files", "ab", "abcd"), "utf8")).toBe("an upload");
    expect(readFileSync(join(empty.DATA_DIR, "secret"), "utf8")).toBe("s1");
    writeFileSync(join(place.DATA_DIR, "secret"), "s2");
    writeFileSync(join(place.DATA_DIR, "files", "ab", "abce"), "a later one");

    expect(await names(place, "乙")).toEqual(["乙", "甲"].sort());
    await expect(restore(place, file, false)).rejects.toThrow("the database is not empty");
    expect(await names(place)).toEqual(["乙", "甲"].sort());
    const aside = await restore(place, file, true);
    expect(await names(place)).toEqual(["甲"]);
    expect(existsSync(aside ?? "")).toBe(true);
    expect(readFileSync(join(place.DATA_DIR, "secret"), "utf8")).toBe("s1");
    // Rows added after the backup are gone, but a restore never deletes a file.
    expect(existsSync(join(place.DATA_DIR, "files", "ab", "abce"))).toBe(true);
  });

  it("An invalid backup is refused and changes nothing", async () => {
    const bad = join(root, "bad.dump");
    writeFileSync(bad, "not a backup");
    await expect(restore(place, bad, true)).rejects.toThrow("is not a backup");
    writeFileSync(bad, Buffer.from("1f8b0800aaaa", "hex"));
    await expect(restore(place, bad, true)).rejects.toThrow("the backup cannot be read");
    await expect(restore(place, join(root, "none"), true)).rejects.toThrow("does not exist");
    expect(await names(place)).toEqual(["甲"]);
  });
});
