/** The archive of an empty database. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { packFolder, unpackFolder } from "./empty-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "empty-files-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("A packed folder comes back with its empty folders and equal bytes, and only its owner may read it", () => {
  const [from, to] = [join(folder, "from"), join(folder, "to")];
  mkdirSync(join(from, "base/1"), { recursive: true });
  mkdirSync(join(from, "pg_notify"));
  writeFileSync(join(from, "PG_VERSION"), "18\n");
  writeFileSync(join(from, "base/1/112"), Uint8Array.of(0, 255, 10, 13));
  writeFileSync(join(from, "base/1/none"), "");
  mkdirSync(to, { mode: 0o700 });
  unpackFolder(packFolder(from), to);
  const names = (at: string): string[] =>
    readdirSync(at, { recursive: true, encoding: "utf8" }).toSorted();
  expect(names(to)).toEqual(names(from));
  for (const name of ["PG_VERSION", "base/1/112", "base/1/none"]) {
    expect(readFileSync(join(to, name)), name).toEqual(readFileSync(join(from, name)));
  }
  for (const name of names(to)) expect(statSync(join(to, name)).mode & 0o077, name).toBe(0);
});
