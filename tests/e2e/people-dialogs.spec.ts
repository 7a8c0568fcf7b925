/**
 * The dialogs and drawers of the people pages as everybody meets them: opened by the keyboard, in Chinese on a wide window and in English on a
 * phone, light and dark, closed by Escape, with unsaved input too. The pages have tests of their own (every-screen, people-pages).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { visit } from "../support/dialog-visit.ts";
import { expect } from "../support/fixtures.ts";
import { openPage, test } from "../support/people-console.ts";
import { PEOPLE_DIALOGS } from "../support/people-dialogs.ts";

// Nobody else's rows.
test.use({ serverEnv: { TEST_SERVER: "people dialogs" } });
test.describe.configure({ mode: "parallel" });

for (const [uri, rows] of Object.entries(PEOPLE_DIALOGS)) {
  for (const [language, how] of [
    ["zh", "in Chinese on a wide window"],
    ["en", "in English on a phone"],
  ] as const) {
    test(`The dialogs of ${uri} can be used ${how}`, async ({ console: shown }) => {
      const before = shown.admin.complaints.length;
      const at = await openPage(shown, uri, language);
      for (const row of rows) {
        await test.step(row.name, () => visit(at, row, language, shown.texts));
      }
      expect(shown.admin.complaints.slice(before), "the browser's console").toEqual([]);
    });
  }
}

const UI = join(import.meta.dirname, "../../src/ui");
/** Folders of the code behind the people pages. */
const FEATURES = [
  "company",
  "departments",
  "documents",
  "employees",
  "fields",
  "register",
  "roles",
  "sms",
].map((name) => `features/${name}/`);
/** Where code shows a dialog or a question. A list's declaration opens some too. */
const SITE = /<(?:Form|Row)?Dialog$|<Drawer$|\bask\(\{$|\b(?:form|remove)=\{\{$|\bquestion: \(/gm;

test("Every place of the code that shows a dialog of these pages has a row in the table", () => {
  const isOfPeople = (file: string): boolean =>
    file.startsWith("pages/supplier/") ||
    FEATURES.some((folder) => file.startsWith(folder)) ||
    Object.keys(PEOPLE_DIALOGS).some(
      (uri) => file === `pages${uri}.tsx` || file === `pages${uri}.fixed.tsx`,
    );
  const rows = Object.values(PEOPLE_DIALOGS).flat();
  const without = readdirSync(UI, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && isOfPeople(file))
    .map((file) => {
      const places = readFileSync(join(UI, file), "utf8").match(SITE)?.length ?? 0;
      return { file, places, rows: rows.filter((row) => row.file === file).length };
    })
    .filter((one) => one.rows < one.places);
  expect(without).toEqual([]);
  expect(new Set(rows.map(({ name }) => name)).size, "each has pictures of its own").toBe(
    rows.length,
  );
});
