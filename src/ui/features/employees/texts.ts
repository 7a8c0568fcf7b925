/** Texts of the screens of employees. */
import { texts } from "../../i18n/texts.ts";

export const EMPLOYEE_TEXTS = texts({
  title: ["员工列表", "Employees"],
  total: ["共 {{count}} 人", "{{count}} {count|person|people}"],
  search: ["搜索姓名、工号、电话、部门", "Name, number, phone, department"],
  failed: ["员工列表未能加载", "The employees could not be loaded"],
  empty: [
    "新增、邀请或批量导入的员工会显示在这里。",
    "People whom you add, invite or import appear here.",
  ],
  account: ["账号", "Account"],
  create: ["新增员工", "New employee"],
  edit: ["编辑员工", "Edit employee"],
  idNumber: ["身份证号不正确", "The ID card number is not valid"],
  phone: ["电话号码不正确", "The phone number is not valid"],
  email: ["邮箱不正确", "The email address is not valid"],
  otherDepartment: ["当前为“{{name}}”，不在部门列表中", "Now “{{name}}”, which is not in the list"],
  date: ["日期不正确", "The date is not valid"],
  leave: ["离职", "Mark as departed"],
  invite: ["邀请员工", "Invite"],
  sign: [
    "含有看不见的控制字符、方向标记或不完整的字，请删去",
    "Contains invisible control characters, direction marks or broken characters",
  ],
  contradiction: ["与身份证号不一致", "This does not match the ID card number"],
});
