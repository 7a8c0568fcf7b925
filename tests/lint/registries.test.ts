/** The registries, which are made from folders (docs/adding.md#registries). */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeRegistries } from "../../scripts/lib/registries.mjs";
import { dataTagSchema } from "../../src/shared/protocol/data-tags.ts";
import { CALL_PERMISSIONS } from "../../src/shared/protocol/rest/call-permissions.generated.ts";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";

const root = join(import.meta.dirname, "../..");
const CALLS: readonly RestCall[] = Object.values(restCalls);

const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
const sourcesIn = (folder: string): string[] =>
  tracked.filter(
    (file) => file.startsWith(folder) && /(?<!\.(?:test|harness|fake))\.tsx?$/.test(file),
  );

const project = mkdtempSync(join(tmpdir(), "registries-"));
afterAll(() => rmSync(project, { recursive: true }));
const put = (file: string, text: string): void => {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
};
const made = (file: string): string => readFileSync(join(project, file), "utf8");

it("A file of calls and a folder of a module are found by their places alone, in a clone that has no registry yet", () => {
  mkdirSync(join(project, "node_modules"));
  symlinkSync(join(root, "node_modules/tsx"), join(project, "node_modules/tsx"));
  const rest = "src/shared/protocol/rest";
  put(
    `${rest}/cats.ts`,
    `const list: { id: string } = { id: "cats.list" };
export const catCalls = {
  catList: { ...list, shows: ["cats"], access: { permissions: ["zoo:cat:list"] } },
};`,
  );
  put("src/server/modules/cats/index.ts", "export const standalone = { area: 'server' };");
  put("src/server/modules/none/index.ts", "export const createNone = 1;");
  makeRegistries(project);
  expect(made(`${rest}/calls.generated.ts`)).toContain('import { catCalls } from "./cats.ts";');
  expect(made(`${rest}/call-permissions.generated.ts`)).toContain('"cats.list": ["zoo:cat:list"]');
  expect(made("src/shared/protocol/data-tags.generated.ts")).toContain('"cats"');
  expect(made("src/server/modules/standalone.generated.ts")).not.toContain("none");

  // somebody else adds theirs
  put(
    `${rest}/dogs.ts`,
    `export const dogCalls = {
  dogAdd: { id: "dogs.add", touches: ["dogs"], audits: { dog: ["狗", "Dog"] }, access: { permissions: ["zoo:dog:edit"] } },
};`,
  );
  put("src/server/modules/old-dogs/index.ts", "export const standalone = { area: 'server' };");
  makeRegistries(project);
  const calls = made(`${rest}/calls.generated.ts`);
  for (const part of ["...catCalls", "...dogCalls", 'export * from "./dogs.ts"']) {
    expect(calls).toContain(part);
  }
  expect(made(`${rest}/call-permissions.generated.ts`)).toContain('"dogs.add": ["zoo:dog:edit"]');
  expect(made(`${rest}/audited.generated.ts`)).toContain('"dog": ["狗","Dog"]');
  expect(made("src/server/modules/standalone.generated.ts")).toContain(
    'import { standalone as oldDogs } from "./old-dogs/index.ts";',
  );
  expect(
    readdirSync(join(project, rest)).filter((name) => name.endsWith(".tmp")),
    "no half file stays",
  ).toEqual([]);
});

it("No registry is committed, and every call that is declared is in the table of calls", () => {
  expect(tracked.filter((file) => file.includes(".generated."))).toEqual([]);
  const declared = sourcesIn("src/shared/protocol/rest/").flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/defineCall\(\{\s*id: "([^"]+)"/g)].map(
      ([, id]) => id,
    ),
  );
  const ids = CALLS.map(({ id }) => id);
  expect(declared.length).toBeGreaterThan(100);
  expect(declared.filter((id) => !ids.includes(id ?? ""))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

it("The pages' table has the permissions of every call that needs one", () => {
  expect(CALL_PERMISSIONS).toEqual(
    Object.fromEntries(
      CALLS.flatMap(({ id, access }) =>
        access?.permissions === undefined ? [] : [[id, access.permissions]],
      ),
    ),
  );
});

/** Lists of what happens all the time: a change of them repeats no read. */
const UNTOUCHED = ["audit", "measuredCalls", "signIns"];

it("Every tag that a call shows is touched by something, so that none is misspelt", () => {
  const touched = new Set<string>(CALLS.flatMap(({ touches }) => touches ?? []));
  const sources = [...sourcesIn("src/server/"), ...sourcesIn("src/workers/core/")].map((file) =>
    readFileSync(join(root, file), "utf8"),
  );
  const untouched = dataTagSchema.options.filter(
    (tag) => !touched.has(tag) && !sources.some((text) => text.includes(`"${tag}"`)),
  );
  expect(untouched).toEqual(UNTOUCHED);
});

it("No page repeats a permission: it names the call that it makes", () => {
  const permissions = new Set<string>(Object.values(CALL_PERMISSIONS).flat());
  const repeated = sourcesIn("src/ui/").flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/"([a-z]+(?::[\w]+){2})"/gi)].flatMap(
      ([, text = ""]) => (permissions.has(text) ? [`${file}: ${text}`] : []),
    ),
  );
  expect(repeated).toEqual([]);
});

it("A page that asks for a right names its call at a button, for the matrix of roles and pages", () => {
  const pages = sourcesIn("src/ui/pages/");
  expect(pages.length).toBeGreaterThan(15);
  const unnamed = pages.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const asked = [...text.matchAll(/\bmay\(([^)]*)\)/g)].flatMap(([, calls = ""]) =>
      [...calls.matchAll(/"([\w.]+)"/g)].map(([, call = ""]) => call),
    );
    return asked
      .filter((call) => !text.includes(`data-call="${call}"`) && !text.includes(`call: "${call}"`))
      .map((call) => `${file}: ${call}`);
  });
  expect(unnamed).toEqual([]);
});
