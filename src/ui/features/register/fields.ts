/** The fields of the registration and their rules, which are those of the call. Pure. */
import {
  type CreditCodeFault,
  creditCodeFault,
  normalCreditCode,
} from "../../../shared/domain/credit-code.ts";
import { CREDIT_CODE_INPUT } from "../../../shared/protocol/rest/credit-code.ts";
import type { z } from "../../../shared/zod.ts";
import { registerCall, resetPasswordCall } from "../../../shared/protocol/rest/registration.ts";

const shape = registerCall.body.shape;

export const REGISTER_FIELDS = [
  { key: "supplierName", label: "company", max: 100, autoComplete: "organization" },
  {
    key: "creditCode",
    label: "creditCode",
    max: CREDIT_CODE_INPUT,
    rule: "creditCodeRule",
    optional: true,
    autoComplete: "off",
  },
  { key: "contact", label: "contact", max: 32, autoComplete: "name" },
  {
    key: "mobile",
    label: "mobile",
    max: 11,
    rule: "mobileRule",
    digits: true,
    autoComplete: "tel",
  },
  {
    key: "smsCode",
    label: "code",
    max: 6,
    rule: "codeRule",
    digits: true,
    autoComplete: "one-time-code",
  },
  { key: "username", label: "username", max: 32, rule: "usernameRule", autoComplete: "username" },
  {
    key: "password",
    label: "password",
    max: 72,
    rule: "passwordRule",
    secret: true,
    autoComplete: "new-password",
  },
  { key: "again", label: "again", max: 72, secret: true, autoComplete: "new-password" },
] as const;
export type RegisterField = (typeof REGISTER_FIELDS)[number];
const fieldsOf = (...keys: readonly RegisterField["key"][]): readonly RegisterField[] =>
  REGISTER_FIELDS.filter(({ key }) => keys.includes(key));
/** The first step: the company. */
export const COMPANY_FIELDS = fieldsOf("supplierName", "creditCode");
/** The second step: its administrator. */
export const ADMIN_FIELDS = fieldsOf(
  "contact",
  "mobile",
  "smsCode",
  "username",
  "password",
  "again",
);
/** What a refused application may have wrong. */
export const CORRECTION_FIELDS = fieldsOf("supplierName", "creditCode", "contact");
/** What a person without a password fills in. */
export const RESET_FIELDS = fieldsOf("mobile", "smsCode", "password", "again");
/** By what an applicant asks for the state of an application. */
export const STATE_FIELDS = fieldsOf("mobile", "smsCode");
export const SECRETS = ["password", "again"] as const satisfies readonly RegisterField["key"][];
export type RegisterKey = RegisterField["key"];
export type RegisterValues = Readonly<Record<RegisterKey, string>>;

export const EMPTY: RegisterValues = {
  supplierName: "",
  creditCode: "",
  contact: "",
  mobile: "",
  smsCode: "",
  username: "",
  password: "",
  again: "",
};

/** What is wrong with a field. */
export type Wrong = "missing" | "rule" | "differs" | CreditCodeFault;

const isSecret = (field: RegisterField): boolean => "secret" in field;
const valueOf = (field: RegisterField, values: RegisterValues): string =>
  isSecret(field) ? values[field.key] : values[field.key].trim();

export function checkRegistration(
  values: RegisterValues,
  fields: readonly RegisterField[] = REGISTER_FIELDS,
): Partial<Record<RegisterKey, Wrong>> {
  const wrong: Partial<Record<RegisterKey, Wrong>> = {};
  for (const field of fields) {
    const { key } = field;
    const value = valueOf(field, values);
    if (value === "") {
      if (!("optional" in field)) wrong[key] = "missing";
    } else if (key === "creditCode") {
      const fault = creditCodeFault(normalCreditCode(value));
      if (fault !== null) wrong[key] = fault;
    } else if (key === "again") {
      if (value !== values.password) wrong[key] = "differs";
    } else if (!shape[key].safeParse(value).success) wrong[key] = "rule";
  }
  return wrong;
}

/** The body of the call for values that are right. */
export function registrationOf(values: RegisterValues): z.input<(typeof registerCall)["body"]> {
  const { password, creditCode } = values;
  return {
    supplierName: values.supplierName.trim(),
    contact: values.contact.trim(),
    mobile: values.mobile.trim(),
    smsCode: values.smsCode.trim(),
    username: values.username.trim(),
    password,
    ...(creditCode.trim() === "" ? {} : { creditCode: creditCode.trim() }),
  };
}

/** The body of the call for a new password. */
export const resetOf = ({
  mobile,
  smsCode,
  password,
}: RegisterValues): z.input<(typeof resetPasswordCall)["body"]> => ({
  mobile: mobile.trim(),
  smsCode: smsCode.trim(),
  newPassword: password,
});
