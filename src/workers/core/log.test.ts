import { expect, test } from "vitest";
import { type CoreLogLevels, createLog } from "./log.ts";

function setUp(levels: CoreLogLevels) {
  const lines: string[] = [];
  const at = (level: string) => (text: string) => void lines.push(`${level} ${text}`);
  const out = { error: at("error"), warn: at("warn"), info: at("info") };
  return { lines, log: createLog("core", () => levels, out) };
}

test("A line has its name, area and level", () => {
  const { lines, log } = setUp({});
  log("chat", "info", "late");
  log("storage", "error", "full");
  expect(lines).toEqual(["info [core] chat: late", "error [core] storage: full"]);
});

test("An area writes the lines of its level and of graver ones", () => {
  const { lines, log } = setUp({ chat: "warn", calls: "silent" });
  log("chat", "info", "a");
  log("chat", "warn", "b");
  log("chat", "error", "c");
  log("calls", "error", "d");
  log("session", "info", "e");
  expect(lines).toEqual(["warn [core] chat: b", "error [core] chat: c", "info [core] session: e"]);
});

test("A level that this build does not know is as none", () => {
  const { lines, log } = setUp({ chat: "trace" });
  log("chat", "info", "a");
  expect(lines).toEqual(["info [core] chat: a"]);
});

test("Levels that come with the configuration hold from then on", () => {
  const lines: string[] = [];
  const add = (text: string) => void lines.push(text);
  let levels: CoreLogLevels = {};
  const log = createLog("core", () => levels, { error: add, warn: add, info: add });
  log("http", "warn", "before");
  levels = { http: "error" };
  log("http", "warn", "after");
  expect(lines).toEqual(["[core] http: before"]);
});
