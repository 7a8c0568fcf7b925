/** What a run says of tests that fail once, always, or in great number. Small suites stand for the real ones. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const PASSES = "expect(true).toBe(true);";
const FAILS = 'expect("second").toBe("first");';
/** Fails until its file of the same folder exists, so it passes when it runs again. */
const failsOnce = (name: string): string =>
  `const mark = new URL("./${name}.mark", import.meta.url);
   const again = existsSync(mark);
   writeFileSync(mark, "");
   expect(again).toBe(true);`;

interface Suites {
  /** Bodies of browser tests by title. */
  readonly browser: Readonly<Record<string, string>>;
  /** Bodies of tests in Node by title. */
  readonly node: Readonly<Record<string, string>>;
  /** Body of a test in a file that the file of the browser tests imports. */
  readonly step?: string;
}

const source = (runner: string, bodies: Readonly<Record<string, string>>): string =>
  `import { existsSync, writeFileSync } from "node:fs";
   import { expect, test } from "${runner}";
   void [existsSync, writeFileSync];
   ${Object.entries(bodies)
     .map(([title, body]) => `test(${JSON.stringify(title)}, () => { ${body} });`)
     .join("\n")}`;

/** Runs the suites in a folder below the project, so that they find its packages. */
function run({ browser, node, step }: Suites): {
  status: number | null;
  text: string;
  last: string | undefined;
} {
  mkdirSync(join(root, ".artifacts"), { recursive: true });
  const folder = mkdtempSync(join(root, ".artifacts/runner-"));
  folders.push(folder);
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const steps = 'import { steps } from "./steps.ts";\nsteps();\n';
  const own = source("@playwright/test", browser);
  write("fake.spec.ts", step === undefined ? own : steps + own);
  if (step !== undefined) {
    const tests = source("@playwright/test", { "in steps": step });
    write("steps.ts", tests.replace('test("in', 'export const steps = () => test("in'));
  }
  write("fake.case.ts", source("vitest", node));
  const reporter = '[["list"], ["json"]]';
  write("playwright.config.ts", `export default { testDir: ".", reporter: ${reporter} };`);
  write("vitest.config.ts", 'export default { test: { include: ["**/*.case.ts"] } };');
  const suites = pathToFileURL(join(root, "scripts/lib/suites.mjs")).href;
  const path = (name: string): string => JSON.stringify(join(folder, name));
  write(
    "run.mjs",
    `import { createSuites } from ${JSON.stringify(suites)};
     const { vitest, playwright, finish } = createSuites({}, ${path("out")});
     const node = ["--root", ${path(".")}, "--config", ${path("vitest.config.ts")}];
     await vitest("in Node", "node", node);
     const config = ["-c", ${path("playwright.config.ts")}];
     await playwright("in a browser", "browser", config, [], { repeats: true });
     await finish();`,
  );
  const env = { ...process.env, VITEST: "", NO_COLOR: "1" };
  const args = [join(folder, "run.mjs")];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  return { status, text: stdout + stderr, last: stdout.trimEnd().split("\n").at(-1) };
}

const plain = { passes: PASSES };

describe("The runner", () => {
  it("passes when all tests pass, and names no flaky one", () => {
    const { status, text, last } = run({ browser: plain, node: plain });
    expect(last).toBe("2 passed, 0 failed");
    expect(status).toBe(0);
    expect(text).not.toContain("~ flaky");
    expect(text).toMatch(/slowest: .*in Node \d+ s/);
  });

  it("passes when a browser test fails once, and names it as flaky with its first failure", () => {
    const browser = { ...plain, "fails once": failsOnce("once") };
    const { status, text, last } = run({ browser, node: plain });
    expect(last).toBe("3 passed, 0 failed");
    expect(status).toBe(0);
    expect(text).toMatch(/~ flaky fake\.spec\.ts:\d+ fails once\n {2}Error: expect/);
    expect(text).not.toContain("✘ fake");
  });

  it("repeats a test of a file that the test's file imports", () => {
    const step = failsOnce("steps");
    const { status, text, last } = run({ browser: plain, node: plain, step });
    expect(last).toBe("3 passed, 0 failed");
    expect(status).toBe(0);
    expect(text).toMatch(/~ flaky steps\.ts:\d+ in steps/);
  });

  it("fails when a browser test fails again", () => {
    const { status, text, last } = run({
      browser: { ...plain, "always fails": FAILS },
      node: plain,
    });
    expect(last).toBe("2 passed, 1 failed");
    expect(status).toBe(1);
    expect(text).toMatch(/✘ fake\.spec\.ts:\d+ always fails/);
    expect(text).not.toContain("~ flaky");
  });

  it("fails when a test in Node fails once", () => {
    const node = { ...plain, "fails once": failsOnce("once") };
    const { status, last } = run({ browser: plain, node });
    expect(last).toBe("2 passed, 1 failed");
    expect(status).toBe(1);
  });

  it("fails when six browser tests fail at once, and repeats none of them", () => {
    const six = [1, 2, 3, 4, 5, 6].map((n) => [`fails once ${n}`, failsOnce(`once-${n}`)] as const);
    const { status, text, last } = run({
      browser: { ...plain, ...Object.fromEntries(six) },
      node: plain,
    });
    expect(last).toBe("2 passed, 6 failed");
    expect(status).toBe(1);
    expect(text).not.toContain("once more:");
  });

  it("fails when a suite cannot be loaded", () => {
    const { status, last } = run({ browser: { broken: "} syntax error {" }, node: plain });
    expect(last).toMatch(/^1 passed, [1-9]\d* failed$/);
    expect(status).toBe(1);
  });
});
