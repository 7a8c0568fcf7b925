/** Texts of the applications for a membership: of the company that decides, and of the applicant. */
import { texts } from "../../i18n/texts.ts";

export const APPLY_TEXTS = texts({
  title: ["加入申请", "Membership applications"],
  total: ["共 {{count}} 个申请", "{{count}} {count|application|applications}"],
  failed: ["加入申请未能加载", "The applications could not be loaded"],
  empty: [
    "有人申请加入企业时会显示在这里，等待处理。",
    "People who apply to join the company appear here.",
  ],
  search: ["姓名或手机号", "Name or mobile"],
  name: ["申请人", "Applicant"],
  phone: ["手机号", "Mobile"],
  department: ["部门", "Department"],
  position: ["岗位", "Position"],
  status: ["状态", "State"],
  pending: ["待审批", "Pending"],
  approved: ["已通过", "Approved"],
  refused: ["已拒绝", "Rejected"],
  reason: ["原因", "Reason"],
  reasonHint: ["申请人会看到该原因", "The applicant sees this reason"],
  decidedBy: ["处理人", "Decided by"],
  appliedAt: ["申请时间", "Applied"],
  approve: ["通过", "Approve"],
  refuse: ["拒绝", "Reject"],
  approveTitle: ["通过“{{name}}”的申请", "Approve “{{name}}”"],
  refuseTitle: ["拒绝“{{name}}”的申请", "Reject “{{name}}”"],
  asEmployee: ["绑定员工", "Employee"],
  asEmployeeHint: [
    "这里列出姓名或手机号相符、未绑定账号的员工；其他员工请在员工详情中绑定账号",
    "Employees with this name or number and without an account. Bind another one in the details of the employee",
  ],
  automatic: [
    "自动：手机号相符的员工，没有则新建",
    "Automatic: the employee with the number, or a new one",
  ],
  roles: ["角色", "Roles"],
  rolesHint: ["不选时为“员工”", "Staff when none is chosen"],
  approvedDone: ["已通过该申请", "Approved"],
  refusedDone: ["已拒绝该申请", "Rejected"],
  ownPending: [
    "您申请加入“{{company}}”，正在等待企业处理。",
    "You applied to “{{company}}”, which has not decided yet.",
  ],
  ownRefused: [
    "“{{company}}”未通过您的加入申请：{{reason}}",
    "“{{company}}” rejected your application: {{reason}}",
  ],
});
