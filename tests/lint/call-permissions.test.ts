/**
 * Checks that the pages' table of permissions matches the REST calls, and that no page repeats one. UPDATE_DOCS=1 rewrites the table.
 * The calls themselves have schemas, which pages do not load.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";

const root = join(import.meta.dirname, "../..");
const FILE = join(root, "src/shared/protocol/rest/call-permissions.ts");

const guarded = Object.values(restCalls)
  .flatMap(({ id, access }) =>
    access?.permissions === undefined ? [] : [[id, access.permissions] as const],
  )
  .toSorted(([a], [b]) => (a < b ? -1 : 1));

it("The table has the permissions of every call that needs one", () => {
  const rows = guarded.map(
    ([id, permissions]) =>
      `  "${id}": [${permissions.map((one) => JSON.stringify(one)).join(", ")}],\n`,
  );
  const fresh = `/**
 * Who may make which REST call: one of these permissions is enough. Made from the calls' \`access\` by
 * tests/lint/call-permissions.test.ts, because pages load no schemas.
 */
// prettier-ignore
export const CALL_PERMISSIONS = {
${rows.join("")}} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Id of a call that needs a permission. */
export type GuardedCall = keyof typeof CALL_PERMISSIONS;
`;
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(FILE, fresh);
  expect(readFileSync(FILE, "utf8")).toBe(fresh);
});

it("No page repeats a permission: it names the call that it makes", () => {
  const permissions = new Set<string>(guarded.flatMap(([, all]) => all));
  const repeated = readdirSync(join(root, "src/ui"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))
    .flatMap((file) =>
      [
        ...readFileSync(join(root, "src/ui", file), "utf8").matchAll(/"([a-z]+(?::[\w]+){2})"/gi),
      ].flatMap(([, text = ""]) => (permissions.has(text) ? [`${file}: ${text}`] : [])),
    );
  expect(repeated).toEqual([]);
});
