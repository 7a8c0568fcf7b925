/** All fields that a company can set up: what they are by default, and what cannot be chosen (docs/server.md#field-settings). Pure. */
import { COMPANY_FIELDS } from "./company-fields.ts";
import { employeeFields } from "./employee-fields.ts";
import {
  type FieldSetting,
  type FieldSubject,
  isOwnSetting,
  ownSettingKey,
} from "./fields-in-use.ts";

type Words = readonly [zh: string, en: string];

export interface BuiltInField {
  readonly key: string;
  readonly words: Words;
  readonly required: boolean;
  /** Why the field cannot be switched off. */
  readonly usedAlways?: Words;
  /** Why nobody can choose whether it is required. */
  readonly requiredFixed?: Words;
}

const IS_NAME: Words = ["系统以姓名识别员工", "The system tells employees apart by their names"];
const LOCKS: Readonly<Record<string, Pick<BuiltInField, "usedAlways" | "requiredFixed">>> = {
  name: { usedAlways: IS_NAME, requiredFixed: IS_NAME },
  phone: {
    usedAlways: [
      "邀请和账号绑定需要手机号",
      "Invitations and the binding of accounts need the mobile number",
    ],
  },
  status: {
    requiredFixed: ["不填写时为在职", "Without a value it says that the person is employed"],
  },
};
const CREDIT_CODE: Words = [
  "企业入驻以统一社会信用代码核对",
  "The registration of a company is checked by its credit code",
];

/** The fields that every company has, in the order of a company that set up nothing. */
export const BUILT_IN_FIELDS: Readonly<Record<FieldSubject, readonly BuiltInField[]>> = {
  employee: employeeFields
    // the department's name stands for its id
    .filter(({ rule }) => rule.type !== "departmentId")
    .map(({ key, zh, en, required = false }) => ({
      key,
      words: [zh, en],
      required,
      ...LOCKS[key],
    })),
  company: Object.entries(COMPANY_FIELDS).map(([key, words]) => ({
    key,
    words,
    required: false,
    ...(key === "creditCode" ? { usedAlways: CREDIT_CODE } : {}),
  })),
};

/** An own field in its order; its record says whether it is required. */
interface Own {
  readonly key: string;
  readonly required: boolean;
}

/** What a company has that set up nothing: all fields, the own ones last. */
export const defaultSettings = (
  subject: FieldSubject,
  own: readonly Own[],
): readonly FieldSetting[] => [
  ...BUILT_IN_FIELDS[subject].map(({ key, required }) => ({ key, used: true, required })),
  ...own.map(({ key, required }) => ({ key: ownSettingKey(key), used: true, required })),
];

/**
 * All fields of a subject as the company set them up. A field that came later stands behind the others, one that is gone is left out, and
 * what cannot be chosen is as it must be.
 */
export function completeSettings(
  subject: FieldSubject,
  stored: readonly FieldSetting[],
  own: readonly Own[],
): readonly FieldSetting[] {
  const all = defaultSettings(subject, own);
  const byKey = new Map(all.map((one) => [one.key, one]));
  const locks = new Map(BUILT_IN_FIELDS[subject].map((field) => [field.key, field]));
  const placed = stored.flatMap((one): FieldSetting[] => {
    const normal = byKey.get(one.key);
    if (normal === undefined) return [];
    byKey.delete(one.key);
    const lock = locks.get(one.key);
    const isFixed = lock?.requiredFixed !== undefined || isOwnSetting(one);
    return [
      {
        key: one.key,
        used: one.used || lock?.usedAlways !== undefined,
        required: isFixed ? normal.required : one.required,
      },
    ];
  });
  return [...placed, ...all.filter(({ key }) => byKey.has(key))];
}

/** Why these settings of a field cannot be; null: they can. */
export function lockedBy(
  subject: FieldSubject,
  { key, used, required }: FieldSetting,
): Words | null {
  const field = BUILT_IN_FIELDS[subject].find((one) => one.key === key);
  if (field === undefined) return null;
  if (!used && field.usedAlways !== undefined) return field.usedAlways;
  return required !== field.required ? (field.requiredFixed ?? null) : null;
}

/** The name of a field; null for an own field that is gone. */
export function fieldLabel(
  key: string,
  language: "zh" | "en",
  own: readonly { readonly key: string; readonly label: string }[],
): string | null {
  const builtIn = [...BUILT_IN_FIELDS.employee, ...BUILT_IN_FIELDS.company].find(
    (field) => field.key === key,
  );
  if (builtIn !== undefined) return builtIn.words[language === "zh" ? 0 : 1];
  return own.find((field) => ownSettingKey(field.key) === key)?.label ?? null;
}
