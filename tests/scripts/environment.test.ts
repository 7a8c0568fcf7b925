/** A registry that fails is tried three times, and then ends the run as a fault of the environment. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
// @ts-expect-error a script has no types
import { tried } from "../../scripts/lib/environment.mjs";

const module = pathToFileURL(join(import.meta.dirname, "../../scripts/lib/environment.mjs")).href;

describe("What depends on a registry", () => {
  it.each([
    [1, true, 1],
    [3, true, 3],
    [4, false, 3],
  ])("that succeeds at attempt %i ends as %s after %i", (succeeds, result, attempts) => {
    let count = 0;
    const found = (tried as (attempt: () => boolean) => boolean)(() => {
      count += 1;
      return count >= succeeds;
    });
    expect([found, count]).toEqual([result, attempts]);
  });

  it("ends the run with code 2 and says that no test failed", () => {
    const script = `import { exitForEnvironment } from ${JSON.stringify(module)}; exitForEnvironment("no registry");`;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    expect([status, stderr.trim()]).toEqual([2, "environment, not the change: no registry"]);
  });
});
