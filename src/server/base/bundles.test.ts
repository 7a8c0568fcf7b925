import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundleFolder, contentHash, freshBundle, SOURCES } from "./bundles.mjs";

let root = "";
const script = (): string => join(root, bundleFolder("server"), "server.js");
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "console-bundles-"));
  mkdirSync(join(root, bundleFolder("server")), { recursive: true });
  writeFileSync(join(root, "a.ts"), "1");
  writeFileSync(script(), "");
  const sources = { "a.ts": contentHash(join(root, "a.ts")) };
  writeFileSync(join(root, bundleFolder("server"), SOURCES), JSON.stringify(sources));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("A bundle of the server", () => {
  it("runs while its sources are unchanged", () => {
    expect(freshBundle(root, "server")).toBe(script());
  });

  it("does not run after a source changed", () => {
    writeFileSync(join(root, "a.ts"), "2");
    expect(freshBundle(root, "server")).toBeNull();
  });

  it("does not run after a source was removed", () => {
    rmSync(join(root, "a.ts"));
    expect(freshBundle(root, "server")).toBeNull();
  });

  it("does not run when its script or its list of sources is missing", () => {
    expect(freshBundle(root, "media")).toBeNull();
    rmSync(join(root, bundleFolder("server"), SOURCES));
    expect(freshBundle(root, "server")).toBeNull();
  });
});
