/** The fast checks agree with the schema. */
import { expect, it } from "vitest";
import { employeeCreateSchema } from "../../../shared/protocol/rest/employee-schemas.ts";
import { IMPORT_FIELDS } from "../../../shared/protocol/rest/imports.ts";
import { hasNoNul } from "../../../shared/protocol/rest/call.ts";
import { seededRandom } from "../../../shared/mutate.harness.ts";
import { PLAIN } from "./rows.ts";

const NUMBERS = ["11010519491231002X", "11010519491231002x", "13900000001", "0551-6543210", "1990"];
const DAYS = ["2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "2199-12-31", "2200-01-01"];
const MORE_DAYS = ["2024-13-01", "2024-00-10", "2024-04-31", "2024-04-00", "1899-12-31"];
const NAMES = ["王芳", "​", "‮王", "A", "\u3164", "a\nb", "\u{20bb7}田"];

it("The schema accepts every text unchanged that a fast check accepts", () => {
  const random = seededRandom(7);
  const signs = [..."0123456789-Xx年王a .@", "\u{20bb7}", "​", "\n"];
  const made = Array.from({ length: 4000 }, () =>
    Array.from(
      { length: 1 + Math.floor(random() * 20) },
      () => signs[Math.floor(random() * signs.length)] ?? "",
    ).join(""),
  );
  const days = Array.from({ length: 4000 }, () => {
    const two = (to: number): string => String(Math.floor(random() * to)).padStart(2, "0");
    return `${1890 + Math.floor(random() * 320)}-${two(15)}-${two(34)}`;
  });
  const long = [32, 33, 50, 51, 64, 65, 100, 101, 500, 501].map((length) => "字".repeat(length));
  const texts = [...NUMBERS, ...DAYS, ...MORE_DAYS, ...NAMES, ...made, ...days, ...long]
    .map((text) => text.trim())
    .filter((text) => text !== "" && hasNoNul(text));
  let taken = 0;
  for (const field of IMPORT_FIELDS) {
    for (const text of texts) {
      if (PLAIN[field]?.(text) !== true) continue;
      taken += 1;
      const said = employeeCreateSchema.shape[field].safeParse(text);
      expect(said, `${field}: ${JSON.stringify(text)}`).toEqual({ success: true, data: text });
    }
  }
  expect(taken).toBeGreaterThan(10_000);
});

it("The fast checks accept nearly all texts of the unique fields", () => {
  const good: Readonly<Record<string, string>> = {
    name: "王芳",
    employeeNo: "T0000001",
    idNumber: "11010519491231002X",
    phone: "13900000001",
    hireDate: "2024-02-29",
    remark: "备注",
  };
  for (const [field, text] of Object.entries(good)) {
    expect(PLAIN[field as keyof typeof PLAIN]?.(text), field).toBe(true);
  }
});
