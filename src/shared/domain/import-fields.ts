/** The fields that a column of a file can fill: their names, the headers people use, and the rule for their texts. */
import {
  IMPORT_FIELDS as KEYS,
  type ImportContext,
  type ImportField,
} from "../protocol/rest/imports.ts";

export type ImportRule =
  | {
      readonly type: "text";
      readonly max: number;
      /** line: a single line, such as a name. code: like line, and marks around it are removed. Left out: may have several lines. */
      readonly form?: "line" | "code";
    }
  | { readonly type: "idNumber" | "phone" | "email" | "date" | "number" | "department" }
  | { readonly type: "dict"; readonly dict: string; readonly without?: readonly string[] };

export interface ImportFieldInfo {
  readonly key: string;
  readonly label: string;
  /** Other headers for the field, in lower case without spaces. */
  readonly synonyms: readonly string[];
  readonly rule: ImportRule;
  readonly required?: true;
  /** No other current employee may have the same value. */
  readonly unique?: true;
}

type Known = Exclude<ImportField, "departmentId">;
const text = (max: number, form?: "line" | "code"): ImportRule =>
  form === undefined ? { type: "text", max } : { type: "text", max, form };
const field = (
  key: Known,
  label: string,
  synonyms: string,
  rule: ImportRule,
  more: Pick<ImportFieldInfo, "required" | "unique"> = {},
): ImportFieldInfo => ({ key, label, synonyms: synonyms.split(" "), rule, ...more });

/** In the order of a usual list. `departmentId` has no column: a department's name is converted to it. */
export const IMPORT_FIELDS: readonly ImportFieldInfo[] = [
  field("name", "姓名", "名字 员工姓名 人员姓名 name fullname employeename", text(50, "line"), {
    required: true,
  }),
  field(
    "employeeNo",
    "工号",
    "员工编号 员工工号 编号 人员编号 职工号 employeeno employeeid staffno no",
    text(32, "code"),
    { unique: true },
  ),
  field("gender", "性别", "gender sex", { type: "dict", dict: "gender" }),
  field(
    "idNumber",
    "身份证号",
    "身份证 身份证号码 公民身份号码 证件号 idnumber idcard idno",
    { type: "idNumber" },
    { unique: true },
  ),
  field("birthday", "出生日期", "生日 出生年月 出生年月日 birthday birthdate dob", {
    type: "date",
  }),
  field(
    "phone",
    "联系电话",
    "手机 手机号 手机号码 电话 联系方式 移动电话 phone mobile tel telephone",
    { type: "phone" },
  ),
  field("email", "电子邮箱", "邮箱 邮件 电子邮件 email e-mail mail", { type: "email" }),
  field("department", "部门", "所属部门 部门名称 所在部门 科室 department dept", {
    type: "department",
  }),
  field("position", "岗位", "职位 职务 岗位名称 工种 position title job post", text(100)),
  field("hireDate", "入职日期", "入职时间 到岗日期 入司日期 hiredate entrydate joindate", {
    type: "date",
  }),
  field("status", "状态", "在职状态 员工状态 status", {
    type: "dict",
    dict: "employee_status",
    without: ["off"],
  }),
  field("certificateType", "证件类型", "证书类型 certificatetype", {
    type: "dict",
    dict: "certificate_type",
  }),
  field("certificateNo", "证件号码", "证书编号 证书号 certificateno", text(64, "code")),
  field("certificateExpiry", "证件有效期", "证书有效期 有效期至 有效期 expiry certificateexpiry", {
    type: "date",
  }),
  field("emergencyContact", "紧急联系人", "紧急联系人姓名 emergencycontact", text(50, "line")),
  field("emergencyPhone", "紧急联系电话", "紧急联系人电话 紧急电话 emergencyphone", {
    type: "phone",
  }),
  field("remark", "备注", "说明 备注说明 remark note notes comment", text(500)),
];

/** All field names of the wire except departmentId. A test checks that each has its entry in IMPORT_FIELDS. */
export const IMPORT_KEYS: readonly string[] = KEYS.filter((key) => key !== "departmentId");

/** The common fields and the company's own fields, the latter as `custom.<key>`. */
export function allFields(context: Pick<ImportContext, "ownFields">): readonly ImportFieldInfo[] {
  const own = context.ownFields.map(
    ({ key, label, type, dictType, required }): ImportFieldInfo => ({
      key: `custom.${key}`,
      label,
      synonyms: [key.toLowerCase()],
      rule:
        type === "dict"
          ? { type: "dict", dict: dictType ?? "" }
          : type === "text"
            ? text(500)
            : { type },
      ...(required ? { required: true as const } : {}),
    }),
  );
  return [...IMPORT_FIELDS, ...own];
}
