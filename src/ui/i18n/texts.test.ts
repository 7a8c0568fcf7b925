import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { setLanguage, startI18n } from "./index.ts";
import { texts, textOf } from "./texts.ts";

const TEXTS = texts({
  title: ["员工列表", "Employees"],
  total: ["共 {{count, number}} 人，{{name}}", "{{name}}: {{count, number}} people"],
});

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  await startI18n();
});
afterEach(() => setLanguage("zh"));

it("A text follows the language and takes its values", async () => {
  expect(textOf(TEXTS, "title")).toBe("员工列表");
  expect(textOf(TEXTS, "total", { count: 12345, name: "<甲>" })).toBe("共 12,345 人，<甲>");
  await setLanguage("en");
  expect(textOf(TEXTS, "title")).toBe("Employees");
  expect(textOf(TEXTS, "total", { count: 12345, name: "A" })).toBe("A: 12,345 people");
});

it("English words follow their number", async () => {
  const counted = texts({
    left: [
      "还有 {{count, number}} 行，共 {{all}} 行",
      "{{count, number}} {count|row is|rows are} left of {{all}} {all|row|rows}",
    ],
  });
  await setLanguage("en");
  expect(textOf(counted, "left", { count: 1, all: 2 })).toBe("1 row is left of 2 rows");
  expect(textOf(counted, "left", { count: 0, all: 1 })).toBe("0 rows are left of 1 row");
  expect(textOf(counted, "left", { count: 1000, all: "{x|a|b}" })).toContain("1,000 rows are");
});

it("The compiler refuses missing values, unknown keys and placeholders that differ", () => {
  const refused = [
    // @ts-expect-error -- the values are missing
    () => textOf(TEXTS, "total"),
    // @ts-expect-error -- one value is missing
    () => textOf(TEXTS, "total", { count: 1 }),
    // @ts-expect-error -- no such text
    () => textOf(TEXTS, "titel"),
    // @ts-expect-error -- English lacks the placeholder
    () => texts({ total: ["共 {{count}} 人", "people"] }),
    // @ts-expect-error -- English has another placeholder
    () => texts({ total: ["共 {{count}} 人", "{{n}} people"] }),
  ];
  expect(refused).toHaveLength(5);
});
