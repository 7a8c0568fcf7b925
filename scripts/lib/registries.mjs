// The lists of what lies in folders (docs/adding.md#registries): every table of REST calls, every module of the server that stands
// alone, and what follows from the calls. They are made and not committed, so that two people who add something change no common file.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const CALLS = "src/shared/protocol/rest";
const MODULES = "src/server/modules";
/** What the calls say of themselves, which pages need and cannot read there: pages load no schemas. */
const OF_CALLS = [
  `${CALLS}/call-permissions.generated.ts`,
  `${CALLS}/audited.generated.ts`,
  "src/shared/protocol/data-tags.generated.ts",
];
const MADE = "// Made by scripts/lib/registries.mjs, not committed (docs/adding.md#registries).\n";

/** Replaces a file at once, because several processes may make the same one. An equal one stays, so that nothing is built again. */
function write(path, text) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  const fresh = `${path}.${process.pid}.tmp`;
  writeFileSync(fresh, text);
  renameSync(fresh, path);
}

const isSource = (name) =>
  name.endsWith(".ts") && !/\.(?:test|harness|fake|generated)\.ts$/.test(name);

/** The tables of calls: `export const xCalls = {` in a file of the folder. */
function writeCalls(root) {
  const folder = join(root, CALLS);
  const files = readdirSync(folder)
    .filter(isSource)
    .sort()
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      const tables = [...text.matchAll(/^export const (\w+Calls) = \{/gm)].map(([, one]) => one);
      return tables.length === 0 || name === "index.ts" ? [] : [{ name, tables }];
    });
  const imports = files.map(
    ({ name, tables }) => `import { ${tables.join(", ")} } from "./${name}";`,
  );
  const spreads = files.flatMap(({ tables }) => tables.map((table) => `  ...${table},`));
  const exports = files.map(({ name }) => `export * from "./${name}";`);
  write(
    join(folder, "calls.generated.ts"),
    `${MADE}${imports.join("\n")}

/** Every REST call that uses the console's own envelope, by its name. Routes, client and tests read this table. */
export const restCalls = {
${spreads.join("\n")}
} as const;

${exports.join("\n")}
`,
  );
}

const camel = (name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** The modules that need nothing of another one: `export const standalone` in the index of a folder. */
function writeModules(root) {
  const folder = join(root, MODULES);
  const names = readdirSync(folder)
    .sort()
    .filter((name) => {
      const index = join(folder, name, "index.ts");
      return existsSync(index) && /^export const standalone\b/m.test(readFileSync(index, "utf8"));
    });
  const imports = names.map(
    (name) => `import { standalone as ${camel(name)} } from "./${name}/index.ts";`,
  );
  write(
    join(folder, "standalone.generated.ts"),
    `${MADE}import type { StandaloneModule } from "../base/module.ts";
${imports.join("\n")}

/** The modules that need nothing of another one, by the names of their folders. */
export const STANDALONE: readonly StandaloneModule[] = [
${names.map((name) => `  ${camel(name)},`).join("\n")}
];
`,
  );
}

/** What the files that follow from the calls were made from, and what they are. */
function stateOf(root) {
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  const shared = join(root, "src/shared");
  for (const name of readdirSync(shared, { recursive: true, encoding: "utf8" }).sort()) {
    if (isSource(name)) hash.update(name).update(readFileSync(join(shared, name)));
  }
  for (const file of OF_CALLS) {
    const path = join(root, file);
    hash.update(existsSync(path) ? readFileSync(path) : "");
  }
  return hash.digest("hex");
}

/** Runs in a process of its own, which understands TypeScript. */
async function writeOfCalls(root) {
  const { restCalls } = await import(pathToFileURL(join(root, CALLS, "calls.generated.ts")).href);
  const calls = Object.values(restCalls).toSorted(({ id: a }, { id: b }) => (a < b ? -1 : 1));
  const rows = (pairs) =>
    pairs.map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`).join("");
  const guarded = calls.flatMap(({ id, access }) =>
    access?.permissions === undefined ? [] : [[id, access.permissions]],
  );
  const audited = calls.flatMap(({ audits }) => Object.entries(audits ?? {}));
  const auditedNames = audited.map(([entity, [zh, en]]) => [entity, [zh, en]]);
  const auditedFields = audited.map(([entity, [, , fields]]) => [entity, fields ?? {}]);
  const tags = [...new Set(calls.flatMap(({ shows }) => shows ?? []))].toSorted();
  const [permissionsFile, auditedFile, tagsFile] = OF_CALLS.map((file) => join(root, file));
  write(
    permissionsFile,
    `${MADE}/** Who may make which REST call: one of these permissions is enough. */
export const CALL_PERMISSIONS = {
${rows(guarded)}} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Id of a call that needs a permission. */
export type GuardedCall = keyof typeof CALL_PERMISSIONS;
`,
  );
  write(
    auditedFile,
    `${MADE}import type { AuditedField } from "./call.ts";

/** What the operation log calls the things that calls record (\`audits\` of a call): Chinese and English. */
export const AUDITED = {
${rows(auditedNames)}} as const satisfies Readonly<Record<string, readonly [zh: string, en: string]>>;

/** The fields of these things. */
export const AUDITED_FIELDS: Readonly<Record<string, Readonly<Record<string, AuditedField>>>> = {
${rows(auditedFields)}};
`,
  );
  write(
    tagsFile,
    `${MADE}/** Every tag that a call shows. */
export const DATA_TAGS = [
${tags.map((tag) => `  ${JSON.stringify(tag)},\n`).join("")}] as const;
`,
  );
}

/**
 * Makes each registry of the project that is not as its folder is.
 * @param {string} root folder of the project
 */
export function makeRegistries(root) {
  writeCalls(root);
  writeModules(root);
  // The calls are read by a compiler, which takes a moment: only after a change.
  const stamp = join(root, "node_modules/.registries");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === stateOf(root)) return;
  execFileSync(process.execPath, ["--import", "tsx", fileURLToPath(import.meta.url), root], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    // the options of a test runner are for its own processes, not for this one
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  write(stamp, stateOf(root));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeOfCalls(process.argv[2]);
