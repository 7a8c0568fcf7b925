import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockFolder, processStart } from "./lock.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "lock-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const process7 = (start: string | null) => ({ pid: 7, startOf: () => start });

it("A second process is refused with the folder's name and the holder's process id", () => {
  const lock = lockFolder(dir);
  expect(() => lockFolder(dir)).toThrow(
    `${dir} is in use by another server (process ${process.pid})`,
  );
  lock.release();
  lock.release();
  expect(readdirSync(dir)).toEqual([]);
  lockFolder(dir).release();
});

it("The lock of a dead process is taken over", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"]);
  const pid = child.pid ?? 0;
  lockFolder(dir, { pid, startOf: processStart });
  expect(() => lockFolder(dir)).toThrow(`process ${pid}`);
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
  const lock = lockFolder(dir);
  expect(readFileSync(join(dir, "server.lock"), "utf8")).toContain(`"pid":${process.pid}`);
  lock.release();
});

it("The lock is taken over when its process id belongs to a later process", () => {
  lockFolder(dir, process7("start-1"));
  expect(() => lockFolder(dir, process7("start-1"))).toThrow("in use");
  lockFolder(dir, process7("start-2")).release();
});

it("The lock is refused when it is unknown whether the process is the same", () => {
  lockFolder(dir, process7("start-1"));
  expect(() => lockFolder(dir, process7(""))).toThrow("in use");
});

it("An invalid lock file is taken over", () => {
  writeFileSync(join(dir, "server.lock"), "garbage");
  lockFolder(dir).release();
});

it("Releasing does not remove a lock that another process took over", () => {
  const old = lockFolder(dir, process7("start-1"));
  const next = lockFolder(dir, process7("start-2"));
  old.release();
  expect(existsSync(join(dir, "server.lock"))).toBe(true);
  next.release();
  expect(existsSync(join(dir, "server.lock"))).toBe(false);
});
