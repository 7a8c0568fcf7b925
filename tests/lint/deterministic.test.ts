/** The tests of `npm test` give the same result on every machine (CONTRIBUTING.md#deterministic). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOfList, smokeTests } from "../../scripts/lib/lists.mjs";
import { breachesOf, RULES } from "./deterministic.ts";

const root = join(import.meta.dirname, "../..");
/** Other commands run these. */
const ELSEWHERE = /^tests\/(?:lint|media|perf|torture|webkit)\/|\.(?:timed|torture|webkit)\./;

const inNode = (): string[] => {
  const heavy = linesOfList("heavy");
  return ["src", "tests"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((file) => /\.test\.tsx?$/.test(file) && !ELSEWHERE.test(file))
    .filter((file) => !heavy.includes(file));
};

/** By rule: a sentence of a test that breaks it, and one that does not. */
const SAMPLES: Readonly<Record<string, readonly [breach: string, allowed: string]>> = {
  "measures with the clock": [
    "expect(Date.now() - began).toBeLessThan(200);",
    "const old = new Date(Date.now() - LIMITS.fileMs);",
  ],
  "waits for a time": [
    "await new Promise((resolve) => setTimeout(resolve, 100));",
    "await new Promise((resolve) => setTimeout(resolve, 0));",
  ],
  "measures memory or processor time": [
    "expect(process.memoryUsage().rss).toBeLessThan(1e9);",
    "await withinCost({ mebibytes: 50 }, work);",
  ],
  "draws at random without a seed": [
    "const name = `${Math.random()}`;",
    "const random = seededRandom(1);",
  ],
  "uses a fixed port": ["server.listen(47113);", 'server.listen(0, "127.0.0.1");'],
  "has a title with a time limit": [
    'it("answers within 2 s", async () => {});',
    'it("answers within 2 s", () => { clock.advance(2_000); });',
  ],
  "waits too short a time": [
    "await vi.waitFor(() => expect(calls).toHaveLength(1));",
    "await vi.waitFor(() => expect(calls).toHaveLength(1), PATIENCE);",
  ],
  "reads once what changes by itself": [
    'expect(await page.locator(".row").innerText()).toBe("a");',
    'await expect(page.locator(".row")).toHaveText("a");',
  ],
};

describe("A test of npm test", () => {
  it.each(RULES)("that $name is found", ({ name }) => {
    const [breach, allowed] = SAMPLES[name]!;
    expect(breachesOf(breach).map((text) => text.slice(0, name.length))).toEqual([name]);
    expect(breachesOf(allowed)).toEqual([]);
  });

  it("waits for at least 15 s", () => {
    expect(breachesOf("await expect.poll(read, { timeout: 14_999 }).toBe(1);")).toHaveLength(1);
    expect(breachesOf("await expect.poll(read, { timeout: 15_000 }).toBe(1);")).toEqual([]);
  });

  it("depends neither on the machine nor on chance", () => {
    const specs = new Set(smokeTests().map(({ file }) => `tests/${file}`));
    const files = [...inNode(), ...specs];
    expect(files.length).toBeGreaterThan(300);
    const found = files.flatMap((file) =>
      breachesOf(readFileSync(join(root, file), "utf8")).map((breach) => `${file}: ${breach}`),
    );
    expect(found).toEqual([]);
  });
});
