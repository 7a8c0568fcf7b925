import { expect, it } from "vitest";
import { employeeFields } from "../../../shared/domain/employee-fields.ts";
import { completeSettings } from "../../../shared/domain/field-settings.ts";
import { fieldsInUse } from "../../../shared/domain/fields-in-use.ts";
import { checkValues, optionsOf, valuesOf, warningOf } from "../../components/form/fields.ts";
import { WORDS } from "../../components/form/wordings.fake.ts";
import { employeeAdvanced } from "./advanced.ts";
import { formRules } from "./form-rules.ts";
import { employeeBody, employeeFormFields, employeeLines, NEW_EMPLOYEE } from "./fields.ts";

const NEEDS = {
  language: "zh",
  optionsOf: () => ["on", "probation", "off"].map((value) => ({ value, label: value })),
  wrong: {
    idNumber: "id",
    phone: "phone",
    email: "email",
    date: "date",
    sign: "sign",
    contradiction: "other",
  },
  own: [],
  inUse: fieldsInUse([]),
  rules: formRules,
} as const;
const fields = employeeFormFields(NEEDS);
const field = (key: string) => fields.find((one) => one.key === key);

it("The form has every field of the table except the department's id, with its marks", () => {
  const keys = employeeFields.map(({ key }) => key).filter((key) => key !== "departmentId");
  expect(fields.map(({ key }) => key)).toEqual(keys);
  expect(field("name")).toMatchObject({ label: "姓名", required: true, max: 50 });
  const options = fields.flatMap((one) => (one.key === "status" ? optionsOf(one, {}) : []));
  expect(options.map(({ value }) => value)).toEqual(["on", "probation"]);
});

it("The form and the details have the fields in use, in the company's order, with the company's marks", () => {
  const settings = completeSettings(
    "employee",
    [
      { key: "department", used: true, required: true },
      { key: "name", used: true, required: true },
      { key: "gender", used: false, required: true },
      { key: "status", used: true, required: false },
    ],
    [],
  );
  const needs = { ...NEEDS, inUse: fieldsInUse(settings) };
  const departments = [{ value: "7", label: "总部", children: [] }];
  const form = employeeFormFields({ ...needs, departments });
  expect(form.slice(0, 4).map(({ key, required }) => [key, required])).toEqual([
    ["departmentId", true],
    ["name", true],
    ["status", true],
    ["employeeNo", false],
  ]);
  expect(form.map(({ key }) => key)).not.toContain("gender");
  const lines = employeeLines(
    { name: "李", gender: "1", custom: {} },
    { ...needs, labelOf: (_, value) => value },
  );
  expect(lines.slice(0, 2).map(({ key }) => key)).toEqual(["department", "name"]);
  expect(lines.map(({ key }) => key)).not.toContain("gender");
  const filter = employeeAdvanced("zh", () => [], [], needs.inUse);
  expect(filter.map(({ key }) => key)).not.toContain("gender");
  expect(filter[0]?.key).toBe("department");
  // A new employee gets no value of a field that is not in use.
  expect(valuesOf(form, NEW_EMPLOYEE)).not.toHaveProperty("gender");
});

it("A company with departments chooses one by its id, and no choice clears it", () => {
  const departments = [{ value: "7", label: "总部", children: [] }];
  const form = employeeFormFields({ ...NEEDS, departments });
  expect(form.filter(({ key }) => key.startsWith("department"))).toEqual([
    {
      key: "departmentId",
      label: "部门",
      required: false,
      input: "tree",
      nodes: departments,
    },
  ]);
  expect(employeeBody({ departmentId: "" }, [])).toEqual({ departmentId: null });
});

it("A new employee needs a name alone, and wrong values are named at their fields", () => {
  const values = valuesOf(fields, NEW_EMPLOYEE);
  expect(checkValues(fields, values, WORDS)).toEqual({ name: "missing" });
  const wrong = { name: "李", phone: "123", email: "a@", idNumber: "1", birthday: "2026-02-30" };
  expect(checkValues(fields, { ...values, ...wrong }, WORDS)).toEqual({
    phone: "phone",
    email: "email",
    idNumber: "id",
    birthday: "date",
  });
});

it("An empty text clears a field; one with a fallback takes the text", () => {
  expect(employeeBody({ phone: "", remark: "", name: "李" }, [])).toEqual({
    phone: null,
    remark: "",
    name: "李",
  });
});

it("Lines for reading show labels of dictionaries, and null for what is missing", () => {
  const lines = employeeLines(
    { name: "李", status: "on", phone: null, custom: {} },
    { ...NEEDS, language: "en", labelOf: (dict, value) => `${dict}:${value}` },
  );
  const valueOf = (key: string) => lines.find((line) => line.key === key)?.value;
  expect([valueOf("name"), valueOf("status"), valueOf("phone")]).toEqual([
    "李",
    "employee_status:on",
    null,
  ]);
});

it("A contradiction is an error at its field, and what is doubtful a warning that can be saved", () => {
  const form = employeeFormFields({ ...NEEDS, today: "2026-03-15" });
  const values = {
    ...valuesOf(form, NEW_EMPLOYEE),
    name: "周九(离职)",
    idNumber: "440709198501010017",
    gender: "2",
    birthday: "1990-05-05",
    hireDate: "1980-01-01",
    phone: "13800138906/13900139006",
  };
  expect(checkValues(form, values, WORDS)).toEqual({
    gender: "other",
    birthday: "other",
  });
  const warnings = Object.fromEntries(
    form.flatMap((one) => {
      const warning = warningOf(one, values);
      return warning === null ? [] : [[one.key, warning]];
    }),
  );
  expect(warnings).toEqual({
    name: expect.stringContaining("“(”“)”"),
    phone: expect.stringContaining("13900139006"),
    hireDate: expect.stringContaining("早于出生日期"),
  });
});
