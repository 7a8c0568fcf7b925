/** Texts of those who leave, and of what is done with many employees. They are loaded behind the list. */
import { texts } from "../../i18n/texts.ts";

export const LEAVE_TEXTS = texts({
  leaveTitle: ["办理离职：{{name}}", "Mark {{name}} as departed"],
  leaveHint: [
    "离职后不再是企业成员，记录保留在离职员工中，可在那里办理复职。",
    "They leave the company. The record stays among the former employees, where they can be reinstated.",
  ],
  leaveDate: ["离职日期", "Last day"],
  leaveReason: ["离职原因", "Reason"],
  exportChosen: ["导出所选", "Export selected"],
  leaveAll: ["批量离职", "Mark selected as departed"],
  leaveAllAsk: [
    "将为选中的 {{count}} 人办理离职。离职后不再是企业成员，记录保留在离职员工中，可在那里逐个办理复职。",
    "The {{count}} selected {count|person leaves|people leave} the company. Their records stay among the former employees, where each can be reinstated.",
  ],
  setDepartment: ["设置部门", "Set department"],
  setDepartmentAsk: [
    "为选中的 {{count}} 人设置部门。",
    "Sets the department of the {{count}} selected {count|person|people}.",
  ],
  future: ["不能晚于今天", "Not later than today"],
  early: ["不能早于入职日期", "Not before the hire date"],
  left: ["已办理离职", "Marked as departed"],
  reinstate: ["复职", "Reinstate"],
  reinstateTitle: ["办理复职：{{name}}", "Reinstate {{name}}"],
  reinstateHint: [
    "记录与账号重新生效。离职前的角色不会恢复，请选择现在的角色。",
    "The record and the account are in force again. Former roles do not come back: choose the roles of now.",
  ],
  reinstateHintNoAccount: [
    "记录重新生效。该员工没有账号，可在复职后邀请或绑定。",
    "The record is in force again. There is no account: invite the person or bind one afterwards.",
  ],
  withAccount: ["账号 {{name}} 重新加入企业", "The account {{name}} belongs to the company again"],
  reinstateRoles: ["不选时为“员工”", "Staff when none is chosen"],
  reinstated: ["已办理复职", "Reinstated"],
  formerTitle: ["离职员工", "Former employees"],
  formerFailed: ["离职员工未能加载", "The former employees could not be loaded"],
  formerEmpty: ["员工离职后会显示在这里。", "People who have left appear here."],
  date: ["日期不正确", "The date is not valid"],
});
