/**
 * Checks that the import rules catch what they forbid: each sample violation must fail, and its allowed counterpart must pass.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, copyFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
let dir = "";

const targets = {
  "src/shared/errors.ts": "export const shared = 1;\n",
  "src/workers/core/store.ts": "export const worker = 1;\nexport type W = number;\n",
  "src/workers/core/calls/index.ts": "export const calls = 1;\n",
  "src/rtc-main/index.ts": "export const media = 1;\n",
  "src/rtc-main/connections/peer.ts": "export const peer = 1;\n",
  "src/server/main.ts": "export const server = 1;\n",
  "src/server/modules/chat/index.ts": "export const chat = 1;\n",
  "src/core-client/index.ts": "export const client = 1;\n",
  "src/conference-lib/index.ts": "export const library = 1;\n",
  "src/ui/app.ts": "export const app = 1;\n",
  "src/ui/app/frame.ts": "export const frame = 1;\n",
  "src/ui/layout/frame.ts": "export const frame = 1;\n",
  "src/rtc-main/deps.ts": "export const deps = 1;\n",
};

const breaches: readonly [file: string, source: string][] = [
  ["src/shared/b1.ts", 'import { server } from "../server/main.ts";\nexport const x = server;\n'],
  ["src/shared/b2.ts", 'import { readFileSync } from "node:fs";\nexport const x = readFileSync;\n'],
  ["src/shared/b3.ts", 'import { useState } from "react";\nexport const x = useState;\n'],
  ["src/workers/core/b4.ts", 'import { app } from "../../ui/app.ts";\nexport const x = app;\n'],
  [
    "src/workers/core/b5.ts",
    'import { media } from "../../rtc-main/index.ts";\nexport const x = media;\n',
  ],
  [
    "src/rtc-main/b6.ts",
    'import { worker } from "../workers/core/store.ts";\nexport const x = worker;\n',
  ],
  ["src/server/b7.ts", 'import { app } from "../ui/app.ts";\nexport const x = app;\n'],
  ["src/ui/b8.ts", 'import { server } from "../server/main.ts";\nexport const x = server;\n'],
  [
    "src/ui/b9.ts",
    'import { worker } from "../workers/core/store.ts";\nexport const x = worker;\n',
  ],
  [
    "src/ui/b10.ts",
    'import { peer } from "../rtc-main/connections/peer.ts";\nexport const x = peer;\n',
  ],
  ["src/shared/b11.ts", 'import { z } from "zod";\nexport const x = z;\n'],
  ["src/workers/core/b12.ts", 'import { z } from "zod";\nexport const x = z;\n'],
  ["src/rtc-main/b13.ts", 'import { z } from "zod";\nexport const x = z;\n'],
  ["src/ui/b14.ts", 'import { z } from "zod";\nexport const x = z;\n'],
  [
    "src/server/base/b15.ts",
    'import { chat } from "../modules/chat/index.ts";\nexport const x = chat;\n',
  ],
  [
    "src/server/b16.ts",
    'import { client } from "../core-client/index.ts";\nexport const x = client;\n',
  ],
  ["src/core-client/b17.ts", 'import { app } from "../ui/app.ts";\nexport const x = app;\n'],
  ["src/core-client/b18.ts", 'import { useState } from "react";\nexport const x = useState;\n'],
  [
    "src/core-client/b19.ts",
    'import { worker } from "../workers/core/store.ts";\nexport const x = worker;\n',
  ],
  [
    "src/conference-lib/b20.ts",
    'import { peer } from "../rtc-main/connections/peer.ts";\nexport const x = peer;\n',
  ],
  ["src/conference-lib/b21.ts", 'import { app } from "../ui/app.ts";\nexport const x = app;\n'],
  [
    "src/ui/b22.ts",
    'import { library } from "../conference-lib/index.ts";\nexport const x = library;\n',
  ],
  ["src/ui/b24.ts", 'import { deps } from "../rtc-main/deps.ts";\nexport const x = deps;\n'],
  [
    "src/ui/features/call/b25.ts",
    'import { frame } from "../../app/frame.ts";\nexport const x = frame;\n',
  ],
  [
    "src/ui/features/call/b26.ts",
    'import { frame } from "../../layout/frame.ts";\nexport const x = frame;\n',
  ],
  ["src/ui/layout/b27.ts", 'import { frame } from "../app/frame.ts";\nexport const x = frame;\n'],
  ["src/ui/state/b28.ts", 'import { frame } from "../app/frame.ts";\nexport const x = frame;\n'],
  [
    "src/ui/components/b29.ts",
    'import { frame } from "../layout/frame.ts";\nexport const x = frame;\n',
  ],
  [
    "src/workers/core/signalling/b30.ts",
    'import { calls } from "../calls/index.ts";\nexport const x = calls;\n',
  ],
  [
    "src/shared/b31.ts",
    'import { client } from "../core-client/index.ts";\nexport const x = client;\n',
  ],
  [
    "src/rtc-main/b23.ts",
    'import { library } from "../conference-lib/index.ts";\nexport const x = library;\n',
  ],
];

const allowed: readonly [file: string, source: string][] = [
  ["src/ui/ok1.ts", 'import type { W } from "../workers/core/store.ts";\nexport const x: W = 1;\n'],
  ["src/ui/ok2.ts", 'import { media } from "../rtc-main/index.ts";\nexport const x = media;\n'],
  ["src/ui/ok3.ts", 'import { shared } from "../shared/errors.ts";\nexport const x = shared;\n'],
  [
    "src/server/ok4.ts",
    'import { shared } from "../shared/errors.ts";\nexport const x = shared;\n',
  ],
  ["src/server/ok5.ts", 'import { z } from "zod";\nexport const x = z;\n'],
  [
    "src/ui/ok6.ts",
    'import { client } from "../core-client/index.ts";\nexport const x = client;\n',
  ],
  [
    "src/conference-lib/ok7.ts",
    'import { client } from "../core-client/index.ts";\nexport const x = client;\n',
  ],
  [
    "src/conference-lib/ok8.ts",
    'import { media } from "../rtc-main/index.ts";\nexport const x = media;\n',
  ],
  [
    "src/server/modules/imports/ok9.ts",
    'import { chat } from "../chat/index.ts";\nexport const x = chat;\n',
  ],
];

function put(file: string, source: string): void {
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  writeFileSync(join(dir, file), source);
}

function lint(file: string): { status: number | null; output: string } {
  const result = spawnSync(
    process.execPath,
    [join(root, "node_modules/oxlint/bin/oxlint"), "--deny-warnings", file],
    { cwd: dir, encoding: "utf8" },
  );
  return { status: result.status, output: result.stdout + result.stderr };
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "walls-"));
  copyFileSync(join(root, ".oxlintrc.json"), join(dir, ".oxlintrc.json"));
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
  for (const [file, source] of Object.entries(targets)) put(file, source);
  for (const [file, source] of [...breaches, ...allowed]) put(file, source);
  put("src/shared/ring-a.ts", 'import { b } from "./ring-b.ts";\nexport const a = () => b;\n');
  put("src/shared/ring-b.ts", 'import { a } from "./ring-a.ts";\nexport const b = () => a;\n');
  put(
    "src/rtc-main/ring-a.ts",
    'import type { B } from "./ring-b.ts";\nexport type A = B | null;\n',
  );
  put(
    "src/rtc-main/ring-b.ts",
    'import type { A } from "./ring-a.ts";\nexport type B = { a: A };\n',
  );
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("The import rules", () => {
  it.each(breaches)("catch %s", (file) => {
    const { status, output } = lint(file);
    expect(output).toContain("no-restricted-imports");
    expect(status).toBe(1);
  });
  it.each(allowed)("allow %s", (file) => {
    expect(lint(file)).toMatchObject({ status: 0 });
  });
  it("catch a cycle of imports", () => {
    const { status, output } = lint("src/shared");
    expect(output).toContain("no-cycle");
    expect(status).toBe(1);
  });
  it("catch a cycle of types", () => {
    const { status, output } = lint("src/rtc-main/ring-a.ts");
    expect(output).toContain("no-cycle");
    expect(status).toBe(1);
  });
});
