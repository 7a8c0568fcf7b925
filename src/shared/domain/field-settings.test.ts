import { describe, expect, it } from "vitest";
import { employeeFields } from "./employee-fields.ts";
import { completeSettings, defaultSettings, lockedBy } from "./field-settings.ts";
import { fieldsInUse, type FieldSetting } from "./fields-in-use.ts";
import { allFields, missingFields, unusedFields } from "./import-fields.ts";

const OWN = [
  { key: "size", required: false },
  { key: "degree", required: true },
];
const keysOf = (fields: readonly { readonly key: string }[]) => fields.map(({ key }) => key);
const change = (key: string, part: Partial<FieldSetting>) =>
  defaultSettings("employee", OWN).map((one) => (one.key === key ? { ...one, ...part } : one));

describe("Settings of fields", () => {
  it("are those of today when a company set up nothing", () => {
    const settings = completeSettings("employee", [], OWN);
    const common = employeeFields.map(({ key }) => key).filter((key) => key !== "departmentId");
    expect(keysOf(settings)).toEqual([...common, "custom.size", "custom.degree"]);
    expect(settings.every(({ used }) => used)).toBe(true);
    expect(fieldsInUse(settings).required).toEqual(["name", "custom.degree"]);
    expect(keysOf(completeSettings("company", [], []))).toEqual([
      "logo",
      "shortName",
      "creditCode",
      "legalPerson",
      "contact",
      "phone",
      "address",
      "introduction",
    ]);
  });

  it("keep the order, put what came later last, forget what is gone, and cannot switch off what is needed", () => {
    const off = { used: false, required: true };
    const settings = completeSettings(
      "employee",
      [
        { key: "custom.gone", ...off },
        { key: "custom.size", ...off },
        { key: "phone", ...off },
        { key: "name", used: false, required: false },
        { key: "status", ...off },
        { key: "remark", ...off },
        { key: "remark", used: true, required: false },
      ],
      OWN,
    );
    expect(settings.slice(0, 6)).toEqual([
      // the own field's record says whether it is required
      { key: "custom.size", used: false, required: false },
      { key: "phone", used: true, required: true },
      { key: "name", used: true, required: true },
      { key: "status", used: false, required: false },
      { key: "remark", ...off },
      { key: "employeeNo", used: true, required: false },
    ]);
    expect(settings.at(-1)?.key).toBe("custom.degree");
    expect(settings).toHaveLength(employeeFields.length - 1 + OWN.length);
  });

  it("say why a field is locked", () => {
    const [name = ""] = lockedBy("employee", { key: "name", used: false, required: true }) ?? [];
    expect(name).toContain("姓名");
    expect(lockedBy("employee", { key: "name", used: true, required: false })?.[1]).toContain(
      "name",
    );
    expect(lockedBy("employee", { key: "phone", used: false, required: false })?.[0]).toContain(
      "邀请",
    );
    expect(lockedBy("employee", { key: "phone", used: true, required: true })).toBeNull();
    expect(lockedBy("company", { key: "creditCode", used: false, required: false })).not.toBeNull();
    expect(lockedBy("company", { key: "phone", used: false, required: true })).toBeNull();
    expect(lockedBy("employee", { key: "custom.size", used: false, required: true })).toBeNull();
  });
});

describe("Fields in use", () => {
  it("are everything while the settings are unknown", () => {
    const unknown = fieldsInUse([]);
    expect(unknown.uses("gender")).toBe(true);
    expect([unknown.requires("gender"), unknown.requires("name", true)]).toEqual([false, true]);
    expect(unknown.inOrder(["b", "a"], String)).toEqual(["b", "a"]);
  });

  it("leave out what is off, and an unused field is not required", () => {
    const inUse = fieldsInUse(change("gender", { used: false, required: true }));
    expect(inUse.uses("gender")).toBe(false);
    expect(inUse.requires("gender")).toBe(false);
    expect(inUse.required).toEqual(["name", "custom.degree"]);
    expect(inUse.inOrder(["name", "gender", "account"], String)).toEqual(["name", "account"]);
  });

  it("stand in the company's order; what is no field stays behind its neighbour, and a department's id is the department", () => {
    const [position, ...rest] = defaultSettings("employee", OWN).toSorted(
      (a, b) => Number(b.key === "position") - Number(a.key === "position"),
    );
    const inUse = fieldsInUse([position!, ...rest]);
    const columns = ["name", "phone", "departmentId", "position", "account", "custom.size"];
    expect(inUse.inOrder(columns, String)).toEqual([
      "position",
      "account",
      "name",
      "phone",
      "departmentId",
      "custom.size",
    ]);
    expect(
      fieldsInUse(change("department", { used: false })).inOrder(columns, String),
    ).not.toContain("departmentId");
  });
});

it("An import offers the fields in use and asks for the required ones, unless an ID number says them", () => {
  const ownFields = OWN.map((field) => ({
    ...field,
    label: field.key,
    type: "text" as const,
    dictType: null,
  }));
  const fields = completeSettings(
    "employee",
    [
      { key: "remark", used: true, required: true },
      { key: "gender", used: true, required: true },
      { key: "email", used: false, required: true },
    ],
    OWN,
  );
  const all = allFields({ ownFields, fields: [...fields] });
  expect(keysOf(all).slice(0, 4)).toEqual(["name", "remark", "gender", "employeeNo"]);
  expect(keysOf(unusedFields({ ownFields, fields: [...fields] }))).toEqual(["email"]);
  expect(keysOf(all)).not.toContain("email");
  expect(missingFields(all, new Set(["name"]))).toEqual(["remark", "gender", "custom.degree"]);
  expect(missingFields(all, new Set(["name", "idNumber"]))).toEqual(["remark", "custom.degree"]);
  // As before there were settings.
  expect(keysOf(allFields({ ownFields })).slice(0, 3)).toEqual(["name", "employeeNo", "gender"]);
});
