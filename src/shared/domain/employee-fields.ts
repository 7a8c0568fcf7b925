/**
 * The fields of an employee. This table determines the schemas of the wire, what an import reads and writes, filters, exports, the
 * table's columns and the labels. A new field is a line here and a migration that adds its column (docs/adding.md#employee-field).
 */
import type { DayMeans } from "./days.ts";

export type EmployeeRule =
  | {
      readonly type: "text";
      readonly max: number;
      /** line: a person's name, one line. code: one line, from whose ends invisible marks are removed. By default: several lines. */
      readonly form?: "line" | "code";
    }
  | { readonly type: "idNumber" | "phone" | "email" | "department" | "departmentId" }
  | {
      readonly type: "date";
      /** What the day stands for, so that a day that can hardly be true is noticed. */
      readonly means?: DayMeans;
    }
  | {
      readonly type: "dict";
      readonly dict: string;
      /** The values that can be written. Left out: any of the dictionary, up to 32 characters. */
      readonly values?: readonly string[];
      /** Values of the dictionary that follow from other facts and cannot be written. */
      readonly without?: readonly string[];
    };

export interface EmployeeField {
  /** Name on the wire. */
  readonly key: string;
  /** Name of the table's column. */
  readonly column: string;
  readonly zh: string;
  readonly en: string;
  readonly rule: EmployeeRule;
  /** Other headers that files use, in lower case without spaces. Left out: no column of a file can fill the field. */
  readonly synonyms?: string;
  readonly required?: true;
  /** No other current employee may have the same value. */
  readonly unique?: true;
  /** Whether keywords search this field (employee_words of 0007_employees.sql). */
  readonly searched?: true;
  /** Value of an employee for whom none was given. Left out: null. */
  readonly fallback?: string;
}

/** In the order of an export. */
// prettier-ignore
export const EMPLOYEE_FIELDS = [
  { key: "employeeNo", column: "employee_no", zh: "工号", en: "Employee no.", rule: { type: "text", max: 32, form: "code" }, unique: true, searched: true, synonyms: "员工编号 员工工号 编号 人员编号 职工号 employeeno employeeid staffno no" },
  { key: "name", column: "name", zh: "姓名", en: "Name", rule: { type: "text", max: 50, form: "line" }, required: true, searched: true, synonyms: "名字 员工姓名 人员姓名 name fullname employeename" },
  { key: "gender", column: "gender", zh: "性别", en: "Gender", rule: { type: "dict", dict: "gender", values: ["0", "1", "2"] }, synonyms: "gender sex" },
  { key: "idNumber", column: "id_number", zh: "身份证号", en: "ID card number", rule: { type: "idNumber" }, unique: true, synonyms: "身份证 身份证号码 公民身份号码 证件号 idnumber idcard idno" },
  { key: "birthday", column: "birthday", zh: "出生日期", en: "Birthday", rule: { type: "date", means: "birth" }, synonyms: "生日 出生年月 出生年月日 birthday birthdate dob" },
  { key: "phone", column: "phone", zh: "联系电话", en: "Phone", rule: { type: "phone" }, searched: true, synonyms: "手机 手机号 手机号码 移动电话 mobile 电话 联系方式 phone tel telephone" },
  { key: "email", column: "email", zh: "电子邮箱", en: "Email", rule: { type: "email" }, synonyms: "邮箱 邮件 电子邮件 email e-mail mail" },
  { key: "departmentId", column: "department_id", zh: "部门编号", en: "Department id", rule: { type: "departmentId" } },
  { key: "department", column: "department", zh: "部门", en: "Department", rule: { type: "department" }, searched: true, synonyms: "所属部门 部门名称 所在部门 科室 department dept" },
  { key: "position", column: "position", zh: "岗位", en: "Position", rule: { type: "text", max: 100 }, searched: true, synonyms: "职位 职务 岗位名称 工种 position title job post" },
  { key: "hireDate", column: "hire_date", zh: "入职日期", en: "Hire date", rule: { type: "date", means: "hire" }, synonyms: "入职时间 到岗日期 入司日期 hiredate entrydate joindate" },
  { key: "status", column: "status", zh: "状态", en: "Status", rule: { type: "dict", dict: "employee_status", values: ["on", "probation"], without: ["off"] }, fallback: "on", synonyms: "在职状态 员工状态 status" },
  { key: "certificateType", column: "certificate_type", zh: "证件类型", en: "Certificate type", rule: { type: "dict", dict: "certificate_type" }, synonyms: "证书类型 certificatetype" },
  { key: "certificateNo", column: "certificate_no", zh: "证件号码", en: "Certificate no.", rule: { type: "text", max: 64, form: "code" }, synonyms: "证书编号 证书号 certificateno" },
  { key: "certificateExpiry", column: "certificate_expiry", zh: "证件有效期", en: "Certificate expiry", rule: { type: "date" }, synonyms: "证书有效期 有效期至 有效期 expiry certificateexpiry" },
  { key: "emergencyContact", column: "emergency_contact", zh: "紧急联系人", en: "Emergency contact", rule: { type: "text", max: 50, form: "line" }, synonyms: "紧急联系人姓名 emergencycontact" },
  { key: "emergencyPhone", column: "emergency_phone", zh: "紧急联系电话", en: "Emergency phone", rule: { type: "phone" }, synonyms: "紧急联系人电话 紧急电话 emergencyphone" },
  { key: "remark", column: "remark", zh: "备注", en: "Remark", rule: { type: "text", max: 500 }, fallback: "", synonyms: "说明 备注说明 remark note notes comment" },
] as const satisfies readonly EmployeeField[];

type Fields = (typeof EMPLOYEE_FIELDS)[number];
export type EmployeeFieldKey = Fields["key"];
export type EmployeeFieldOf<K extends EmployeeFieldKey> = Extract<Fields, { key: K }>;
/** All fields with the optional properties of EmployeeField. */
export const employeeFields: readonly (EmployeeField & { readonly key: EmployeeFieldKey })[] = [
  ...EMPLOYEE_FIELDS,
];

/** Longest value of a dictionary field without fixed values, of a department's name and of an email address. */
export const VALUE_MAX = 32;
export const DEPARTMENT_MAX = 100;
export const EMAIL_MAX = 100;

/** The labels by key. */
export const employeeLabels = (language: "zh" | "en"): Readonly<Record<EmployeeFieldKey, string>> =>
  Object.fromEntries(EMPLOYEE_FIELDS.map((field) => [field.key, field[language]])) as Record<
    EmployeeFieldKey,
    string
  >;
