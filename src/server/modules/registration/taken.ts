/** Values that another company or account has already, refused at their fields. The unique indexes of the database decide. */
import { AppError } from "../../../shared/errors.ts";
import { duplicateIn } from "../../base/database/common.ts";

type Words = readonly [zh: string, en: string];

const WORDS = {
  username: ["用户名已被使用", "This user name is taken"],
  mobile: ["该手机号已注册", "This mobile number is registered already"],
  supplierName: ["该企业已注册", "This company is registered already"],
  creditCode: [
    "该统一社会信用代码已被其他企业使用",
    "Another company has this unified social credit code",
  ],
} as const satisfies Readonly<Record<string, Words>>;

/** The field of each unique index. */
const FIELDS: Readonly<Record<string, keyof typeof WORDS>> = {
  accounts_username: "username",
  accounts_chat_user_name_key: "username",
  account_mobiles_mobile_key: "mobile",
  supplier_applies_name: "supplierName",
  company_profiles_credit_code: "creditCode",
};

export function taken(field: keyof typeof WORDS): AppError {
  const [message, en] = WORDS[field];
  return new AppError("request.conflict", {
    message,
    details: { fields: { [field]: message }, en },
  });
}

/** The refusal for a duplicate row, at its field; any other error unchanged. */
export function takenOf(error: unknown): unknown {
  const field = FIELDS[duplicateIn(error) ?? ""];
  return field === undefined ? error : taken(field);
}
