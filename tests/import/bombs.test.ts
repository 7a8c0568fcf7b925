/** Files that grow without end while they are read: each is refused within 2 s of processor time and without much memory. */
import { describe, test } from "vitest";
import { blobOf, refused, workbook, SHEET, sheetOf, times } from "./bad-files.ts";

describe("Bombs", () => {
  test("A row that never ends is refused", async () => {
    const row = Buffer.concat([Buffer.from("<row>"), times('<c r="A1"/>', 4_000_000)]);
    await refused(workbook({ [SHEET]: sheetOf(row) }), "import.too-large", /第 1 行的内容过长/);
  });

  test("A hundred megabytes of rows in a hundred kilobytes are refused", async () => {
    const rows = times("<row><c><v>1</v></c></row>", 4_000_000);
    await refused(workbook({ [SHEET]: sheetOf(rows) }), "import.too-large", /过大.*拆分/);
  });

  test("A bomb that declares a smaller size is refused as corrupt", async () => {
    const rows = times("<row><c><v>1</v></c></row>", 4_000_000);
    const lying = workbook({ [SHEET]: sheetOf(rows) }, { claimed: 500_000 });
    await refused(lying, "import.corrupt", /已损坏/);
  });

  test("Two million blank rows are refused", async () => {
    const rows = times("<row/>", 2_000_000);
    await refused(workbook({ [SHEET]: sheetOf(rows) }), "import.too-many-rows", /1,048,576 行/);
  });

  test("A cell that never ends is refused, in the sheet and in the shared strings", async () => {
    const long = times("长长", 3_000_000);
    const cell = Buffer.concat([
      Buffer.from('<row><c t="str"><v>'),
      long,
      Buffer.from("</v></c></row>"),
    ]);
    await refused(workbook({ [SHEET]: sheetOf(cell) }), "import.cell-too-long", /第 1 行 A 列/);
    const some = `<row r="7"><c r="C7" t="str"><v>${"长".repeat(40_000)}</v></c></row>`;
    await refused(
      workbook({ [SHEET]: sheetOf(some) }),
      "import.cell-too-long",
      /第 7 行 C 列的内容超过 32,767 个字/,
    );
    const strings = Buffer.concat([
      Buffer.from("<sst><si><t>"),
      long,
      Buffer.from("</t></si></sst>"),
    ]);
    await refused(
      workbook({ "xl/sharedStrings.xml": strings }),
      "import.cell-too-long",
      /32,767 个字/,
    );
  });

  test("Forty million shared strings are refused", async () => {
    const strings = Buffer.concat([Buffer.from("<sst>"), times("<si/>", 40_000_000)]);
    await refused(workbook({ "xl/sharedStrings.xml": strings }), "import.too-large", /过大/);
  });

  test("An oversized small part and endlessly nested tags are refused", async () => {
    const styles = times("<xf/>", 6_000_000);
    await refused(workbook({ "xl/styles.xml": styles }), "import.too-large", /过大/);
    const nested = Buffer.concat([Buffer.from("<row><c>"), times("<x>", 8_000_000)]);
    await refused(workbook({ [SHEET]: sheetOf(nested) }), "import.too-large", /第 1 行/);
  });

  test("More columns than the limit are refused", async () => {
    const far = '<row r="3"><c r="XFD3"><v>1</v></c></row>';
    await refused(
      workbook({ [SHEET]: sheetOf(far) }),
      "import.too-many-columns",
      /第 3 行.*500 列/,
    );
    await refused(blobOf(`a${",b".repeat(600)}\n`), "import.too-many-columns", /第 1 行.*500 列/);
  });

  test("A text that never ends is refused", async () => {
    await refused(
      blobOf(`a,b\n"${"x".repeat(50_000_000)}`),
      "import.csv-quote",
      /第 2 行有一个双引号/,
    );
    await refused(blobOf(`a,b\n${"x".repeat(50_000_000)}`), "import.cell-too-long", /第 2 行 A 列/);
  });
});

describe("Rows", () => {
  test("More than 1,048,576 rows are refused, in a workbook and in a CSV", async () => {
    const rows = times("<row><c><v>1</v></c></row>", 1_048_577);
    await refused(workbook({ [SHEET]: sheetOf(rows) }), "import.too-many-rows", /1,048,576 行/);
    const far = workbook({ [SHEET]: sheetOf('<row r="1048577"><c><v>1</v></c></row>') });
    await refused(far, "import.too-many-rows", /1,048,576 行/);
    await refused(blobOf("a,b\n".repeat(1_048_577)), "import.too-many-rows", /1,048,576 行/);
  });
});
