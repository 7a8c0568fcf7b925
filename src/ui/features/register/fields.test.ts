import { expect, test } from "vitest";
import { registerCall } from "../../../shared/protocol/rest/registration.ts";
import { checkRegistration, EMPTY, registrationOf, RESET_FIELDS, resetOf } from "./fields.ts";

const GOOD = {
  supplierName: " 新企业有限公司 ",
  creditCode: "",
  contact: "赵六",
  mobile: "13800000001",
  smsCode: "123456",
  username: "newboss",
  password: "Secret2026",
  again: "Secret2026",
};

test("Everything but the credit code is required", () => {
  const wrong = checkRegistration(EMPTY);
  expect(Object.keys(wrong)).toEqual([
    "supplierName",
    "contact",
    "mobile",
    "smsCode",
    "username",
    "password",
    "again",
  ]);
  expect(new Set(Object.values(wrong))).toEqual(new Set(["missing"]));
});

test.each([
  ["creditCode", "123", "length"],
  ["creditCode", "91350100M000100Y4I", "characters"],
  ["creditCode", "91350100M000100Y44", "check"],
  ["mobile", "12345678901", "rule"],
  ["smsCode", "12345", "rule"],
  ["username", "1x", "rule"],
  ["password", "onlyletters", "rule"],
  ["again", "Secret2027", "differs"],
])("%s must not be %s", (key, value, reason) => {
  expect(checkRegistration({ ...GOOD, [key]: value })).toMatchObject({ [key]: reason });
});

test("What passes here is what the server takes, trimmed, without the second password", () => {
  expect(checkRegistration(GOOD)).toEqual({});
  const body = registrationOf(GOOD);
  expect(registerCall.body.parse(body)).toMatchObject({ supplierName: "新企业有限公司" });
  expect(Object.keys(body)).not.toContain("again");
  expect(Object.keys(body)).not.toContain("creditCode");
});

test("A credit code may be written with blanks and in small letters", () => {
  const values = { ...GOOD, creditCode: " 9135 0100 m000 100y 43 " };
  expect(checkRegistration(values)).toEqual({});
  expect(registerCall.body.parse(registrationOf(values))).toMatchObject({
    creditCode: "91350100M000100Y43",
  });
});

test("A new password needs mobile, code and the password twice, and nothing of a company", () => {
  expect(checkRegistration(EMPTY, RESET_FIELDS)).toEqual({
    mobile: "missing",
    smsCode: "missing",
    password: "missing",
    again: "missing",
  });
  const values = { ...EMPTY, mobile: " 13800001234 ", smsCode: "123456", password: "Secret2026" };
  expect(checkRegistration({ ...values, again: "Secret2027" }, RESET_FIELDS)).toEqual({
    again: "differs",
  });
  expect(resetOf({ ...values, again: "Secret2026" })).toEqual({
    mobile: "13800001234",
    smsCode: "123456",
    newPassword: "Secret2026",
  });
});
