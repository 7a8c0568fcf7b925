/** Who closes a dialog goes on where it was opened: a dialog that does not see to it leaves the keyboard at the top of the page. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const UI = join(import.meta.dirname, "../../src/ui");
const DIALOG = /<(?:Modal|Drawer|Dialog)\b/;
const GIVES_BACK = /\buseFocusBack\(/;

/** Dialogs that see to it in another way. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "components/dialog/Dialog.tsx": "is what dialogs are made of",
  "components/list/RowDrawer.tsx": "gives the focus to the row that was looked at last",
  "features/people/composer/SendFiles.tsx": "gives the focus to the field for messages",
  "layout/SearchDialog.tsx": "SearchPlace gives it back, which is there before its code",
};

test("Every dialog gives the focus back, or says why it need not", () => {
  const dialogs = readdirSync(UI, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".tsx"))
    .map((file) => ({ file, content: readFileSync(join(UI, file), "utf8") }))
    .filter(({ content }) => DIALOG.test(content));
  expect(dialogs.length).toBeGreaterThan(30);
  const without = dialogs.filter(({ content }) => !GIVES_BACK.test(content));
  expect(without.map(({ file }) => file).toSorted()).toEqual(Object.keys(OTHERWISE).toSorted());
});
