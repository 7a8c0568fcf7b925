/** Texts of the screens of employees. */
import { texts } from "../../i18n/texts.ts";

export const EMPLOYEE_TEXTS = texts({
  title: ["员工列表", "Employees"],
  total: ["共 {{count}} 人", "{{count}} people"],
  search: ["搜索姓名、工号、电话、部门", "Name, number, phone, department"],
  failed: ["员工列表未能加载", "The employees could not be loaded"],
  account: ["账号", "Account"],
  create: ["新增员工", "New employee"],
  edit: ["编辑员工", "Edit employee"],
  idNumber: ["身份证号不正确", "The ID card number is not valid"],
  phone: ["电话号码不正确", "The phone number is not valid"],
  email: ["邮箱不正确", "The email address is not valid"],
  otherDepartment: ["当前为“{{name}}”，不在部门列表中", "Now “{{name}}”, which is not in the list"],
  date: ["日期不正确", "The date is not valid"],
  leave: ["离职", "Mark as departed"],
  leaveTitle: ["办理离职：{{name}}", "Mark {{name}} as departed"],
  leaveHint: [
    "离职后不再是企业成员，记录保留在离职员工中，不能撤销。",
    "They leave the company. The record stays among the former employees. This cannot be undone.",
  ],
  leaveDate: ["离职日期", "Last day"],
  leaveReason: ["离职原因", "Reason"],
  leaveAll: ["批量离职", "Mark selected as departed"],
  leaveAllAsk: [
    "将为选中的 {{count}} 人办理离职。离职后不再是企业成员，记录保留在离职员工中，不能撤销。",
    "The {{count}} selected people leave the company. Their records stay among the former employees. This cannot be undone.",
  ],
  setDepartment: ["设置部门", "Set department"],
  setDepartmentAsk: [
    "为选中的 {{count}} 人设置部门。",
    "Sets the department of the {{count}} selected people.",
  ],
  future: ["不能晚于今天", "Not later than today"],
  early: ["不能早于入职日期", "Not before the hire date"],
  left: ["已办理离职", "Marked as departed"],
  invite: ["邀请员工", "Invite"],
  sign: [
    "含有看不见的控制字符、方向标记或不完整的字，请删去",
    "Contains invisible control characters, direction marks or broken characters",
  ],
  contradiction: ["与身份证号不一致", "This does not match the ID card number"],
  formerTitle: ["离职员工", "Former employees"],
  formerFailed: ["离职员工未能加载", "The former employees could not be loaded"],
});
