import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeMemoryFolder } from "../../scripts/lib/memory-folder.mjs";

/** More than the highest number of a process. */
const NOT_RUNNING = 2 ** 30;
const MUCH = 2 ** 40;

describe("The folder of the tests in memory", () => {
  let at = "";
  beforeEach(() => {
    at = mkdtempSync(join(tmpdir(), "memory-folder-"));
  });
  afterEach(() => rmSync(at, { recursive: true, force: true }));

  it("is readable for the users of databases and proxies", () => {
    const folder = makeMemoryFolder({ at, memory: MUCH });
    expect(folder).toMatch(/console-tests-/);
    expect(statSync(folder ?? "").mode & 0o777).toBe(0o755);
  });

  it("is not made with little memory, or without such a file system", () => {
    expect(makeMemoryFolder({ at, memory: 1024 ** 3 })).toBeNull();
    expect(readdirSync(at)).toEqual([]);
    expect(makeMemoryFolder({ at: join(at, "missing"), memory: MUCH })).toBeNull();
  });

  it("removes what killed runs left, and nothing else", () => {
    const left = join(at, `console-tests-${NOT_RUNNING}-a`);
    const others = [`console-tests-${process.pid}-b`, "console-postgres-c"];
    for (const path of [left, ...others.map((name) => join(at, name))]) mkdirSync(path);
    makeMemoryFolder({ at, memory: MUCH });
    expect(existsSync(left)).toBe(false);
    expect(readdirSync(at)).toEqual(expect.arrayContaining(others));
  });
});
