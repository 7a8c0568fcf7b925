/**
 * The catalogue of conferences is bound to its checks by type. The marked lines below fail to compile as soon as a row may stand
 * without a check, or a check without a row.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  CONFERENCE_CATALOGUE,
  type Catalogue,
  type CatalogueRow,
  type CheckedRow,
} from "../conference/catalogue.ts";

const root = join(import.meta.dirname, "../..");
const row: CatalogueRow = { section: "9", side: "core", text: "for this test" };

describe("The conference catalogue", () => {
  it("takes no row without a check, none of another name, and lacks none", () => {
    // @ts-expect-error no function checks this row
    const added: Catalogue = { ...CONFERENCE_CATALOGUE, "ice.never": row };
    // @ts-expect-error a check would be without its row
    const missing: Catalogue = { "ice.weak": row };
    // @ts-expect-error a row by another name
    const renamed: CheckedRow = "ice.weaker";
    expect([added, missing, renamed]).toHaveLength(3);
  });

  it("names each file that exports checks", () => {
    const folder = join(root, "tests/conference");
    const catalogue = readdirSync(folder)
      .filter((name) => name.startsWith("catalogue"))
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\n");
    const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
      (name) =>
        name.endsWith(".test.ts") &&
        readFileSync(join(root, "src", name), "utf8").includes("rowChecks("),
    );
    expect(
      files.filter((name) => !catalogue.includes(`src/${name.replaceAll("\\", "/")}`)),
    ).toEqual([]);
  });
});
