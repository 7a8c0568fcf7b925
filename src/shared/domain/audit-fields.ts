/**
 * What the values of audit records are: their labels in both languages, and how a person reads them (docs/server.md#operation-log). The
 * server finds the names of ids by this table, the page of the operation log shows the values by it.
 */
import { AUDITED_FIELDS } from "../protocol/rest/audited.generated.ts";
import { COMPANY_FIELDS } from "./company-fields.ts";
import { type EmployeeField, employeeFields } from "./employee-fields.ts";

/** Things whose names the server looks up by their ids. */
export const AUDIT_THINGS = [
  "account",
  "bulletin",
  "config",
  "department",
  "dict-data",
  "dict-type",
  "employee",
  "import-job",
  "membership-apply",
  "menu",
  "own-field",
  "role",
] as const;
export type AuditThing = (typeof AUDIT_THINGS)[number];

type Pair = readonly [zh: string, en: string];

export type AuditRule =
  | { readonly type: "text" | "flag" | "time" | "bytes" | "html" | "permissions" | "own" }
  /** An id or a list of ids. `ordered`: their order is the value. */
  | { readonly type: "thing"; readonly thing: AuditThing; readonly ordered?: true }
  /** A list of keys of fields, as settings of fields have them. `ordered`: their order is the value. */
  | { readonly type: "field"; readonly ordered?: true }
  | { readonly type: "dict"; readonly dict: string }
  | { readonly type: "choice"; readonly words: Readonly<Record<string, Pair>> };

export interface AuditField {
  readonly zh: string;
  readonly en: string;
  readonly rule: AuditRule;
}

const text = (zh: string, en: string): AuditField => ({ zh, en, rule: { type: "text" } });
const fieldOf = (type: "flag" | "time" | "bytes" | "html" | "permissions" | "own") => {
  return (zh: string, en: string): AuditField => ({ zh, en, rule: { type } });
};
const [flag, time] = [fieldOf("flag"), fieldOf("time")];
const [bytes, html] = [fieldOf("bytes"), fieldOf("html")];
const thing = (which: AuditThing, zh: string, en: string): AuditField => ({
  zh,
  en,
  rule: { type: "thing", thing: which },
});
const choice = (zh: string, en: string, words: Readonly<Record<string, Pair>>): AuditField => ({
  zh,
  en,
  rule: { type: "choice", words },
});

function employeeField({ zh, en, rule }: EmployeeField): AuditField {
  switch (rule.type) {
    case "dict":
      return { zh, en, rule: { type: "dict", dict: rule.dict } };
    case "departmentId":
      return thing("department", "部门", "Department");
    default:
      return text(zh, en);
  }
}

const account = thing("account", "账号", "Account");
const userName = text("用户名", "User name");
const roleIds = thing("role", "角色", "Roles");
const menuIds = thing("menu", "菜单权限", "Menus");
const remark = text("备注", "Remark");
const sort = text("排序", "Order");
const inUse = choice("状态", "Status", { "0": ["正常", "In use"], "1": ["停用", "Off"] });

export type AuditFields = Readonly<Record<string, AuditField>>;

export const EMPLOYEE_AUDIT_FIELDS: AuditFields = {
  ...Object.fromEntries(employeeFields.map((field) => [field.key, employeeField(field)])),
  custom: fieldOf("own")("自定义字段", "Own fields"),
  accountId: account,
  username: userName,
  roleIds,
  dimissionAt: time("离职时间", "Departed at"),
  dimissionReason: text("离职原因", "Reason"),
};

/** What settings of fields say (field-settings.ts). */
const FIELD_SETTINGS: AuditFields = {
  unused: { zh: "不使用的字段", en: "Fields not in use", rule: { type: "field" } },
  required: { zh: "必填字段", en: "Required fields", rule: { type: "field" } },
  order: { zh: "字段顺序", en: "Order of the fields", rule: { type: "field", ordered: true } },
};

/**
 * By the entity of the audit record, the fields in the order in which they are shown. A new kind of thing is declared by its call instead
 * (`audits`, docs/adding.md#list-page).
 */
const AUDIT_FIELDS: Readonly<Record<string, AuditFields>> = {
  bulletin: {
    title: text("标题", "Title"),
    type: choice("类型", "Type", { "1": ["通知", "Notice"], "2": ["公告", "Announcement"] }),
    published: flag("已发布", "Published"),
    content: html("内容", "Content"),
  },
  "company-fields": FIELD_SETTINGS,
  "company-profile": Object.fromEntries(
    Object.entries(COMPANY_FIELDS).map(([key, [zh, en]]) => [key, text(zh, en)]),
  ),
  config: {
    configName: text("参数名称", "Name"),
    configKey: text("参数键名", "Key"),
    configValue: text("参数键值", "Value"),
    configType: choice("系统内置", "Built in", { Y: ["是", "Yes"], N: ["否", "No"] }),
    remark,
  },
  "demo-data": {
    employee: text("员工", "Employees"),
    department: text("部门", "Departments"),
    call: text("通话记录", "Past calls"),
    quality: text("质量记录", "Quality records"),
    message: text("消息", "Messages"),
    bulletin: text("通知公告", "Bulletins"),
    operation: text("操作日志", "Entries of the operation log"),
    "dict-data": text("字典数据", "Dictionary entries"),
    "dict-type": text("字典", "Dictionaries"),
  },
  department: {
    name: text("部门名称", "Name"),
    parentId: thing("department", "上级部门", "Parent"),
    headId: thing("employee", "负责人", "Head"),
    order: {
      zh: "顺序",
      en: "Order",
      rule: { type: "thing", thing: "department", ordered: true },
    },
    intoId: thing("department", "合并到", "Into"),
    people: text("移动人数", "People moved"),
  },
  "dict-data": {
    dictType: text("字典类型", "Dictionary"),
    dictLabel: text("字典标签", "Label"),
    dictValue: text("字典键值", "Value"),
    dictSort: sort,
    listClass: text("标签样式", "Tag style"),
    cssClass: text("样式属性", "CSS class"),
    status: inUse,
    remark,
  },
  "dict-type": {
    dictName: text("字典名称", "Name"),
    dictType: text("字典类型", "Type"),
    remark,
  },
  employee: EMPLOYEE_AUDIT_FIELDS,
  "employee-fields": FIELD_SETTINGS,
  "employee-phones": {
    phones: text("查看的手机号数量", "Mobile numbers read"),
    limited: flag("无员工查看权限", "Without the right to see employees"),
  },
  employees: {
    list: choice("列表", "List", {
      employed: ["在职员工", "Employees"],
      dimission: ["离职员工", "Former employees"],
    }),
    chosen: text("选中人数", "Chosen people"),
    columns: text("导出的列", "Columns"),
    filtered: flag("有筛选条件", "Filtered"),
  },
  file: { originalName: text("文件名", "Name"), size: bytes("大小", "Size") },
  "import-chunk": {
    created: thing("employee", "新增员工", "New employees"),
    refused: text("未导入行数", "Rows refused"),
  },
  "import-job": {
    fileName: text("文件名", "File"),
    mode: choice("导入方式", "Way", {
      "dry-run": ["仅检查", "Check only"],
      insert: ["仅新增", "New employees only"],
      update: ["新增并更新", "New and changed employees"],
    }),
    isInvite: flag("同时邀请", "With invitations"),
    rows: text("行数", "Rows"),
    fields: text("字段", "Fields"),
    created: text("新增人数", "New employees"),
    updated: text("更新人数", "Updated employees"),
  },
  invitation: {
    departmentId: thing("department", "部门", "Department"),
    department: text("部门", "Department"),
    position: text("岗位", "Position"),
    roleIds,
    uses: text("可用人数", "For how many"),
    approval: flag("需要审批", "Needs approval"),
    expiresAt: time("有效期至", "Valid until"),
  },
  "membership-apply": {
    accountId: account,
    username: userName,
    employeeId: thing("employee", "员工", "Employee"),
    roleIds,
    reason: text("原因", "Reason"),
  },
  "own-field": {
    label: text("字段名称", "Name"),
    type: choice("字段类型", "Type", {
      text: ["文本", "Text"],
      number: ["数字", "Number"],
      date: ["日期", "Date"],
      dict: ["字典", "Dictionary"],
    }),
    dictType: text("字典类型", "Dictionary"),
    required: flag("必填", "Required"),
    sort,
    employees: text("被清除的员工人数", "Employees who had a value"),
  },
  role: {
    name: text("角色名称", "Name"),
    remark,
    fromId: thing("role", "复制自", "Copy of"),
    permissions: fieldOf("permissions")("操作权限", "Actions"),
    menuIds,
  },
  "role-menus": { menuIds },
  "role-people": { accountIds: thing("account", "人员", "People") },
  session: {
    username: userName,
    systemName: text("系统", "System"),
    address: text("地址", "Address"),
  },
};

/** Of an entity that neither the table nor a call knows: none. */
export function auditFieldsOf(entity: string): AuditFields {
  if (Object.hasOwn(AUDIT_FIELDS, entity)) return AUDIT_FIELDS[entity] ?? {};
  const declared = Object.hasOwn(AUDITED_FIELDS, entity) ? AUDITED_FIELDS[entity] : undefined;
  return Object.fromEntries(
    Object.entries(declared ?? {}).map(([key, [zh, en, values]]) => [
      key,
      values === undefined
        ? text(zh, en)
        : values === "flag"
          ? flag(zh, en)
          : choice(zh, en, values),
    ]),
  );
}
