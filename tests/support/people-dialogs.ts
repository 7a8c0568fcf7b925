/** Every dialog of the people pages: the code that opens it, and how the keyboard comes to it. Read by e2e/people-dialogs.spec.ts. */
import type { Locator, Page } from "@playwright/test";
import { tabTo } from "./look.ts";
import { MADE } from "./people-rows.ts";

/** The words of a control in both languages. */
export type Words = readonly [zh: string, en: string];

export interface At {
  readonly page: Page;
  /** The page of the menu. */
  readonly area: Locator;
  say(words: Words): string;
}

/** A control that the keyboard reaches and presses. */
export interface Step {
  readonly target: (at: At) => Locator;
  /** The row of a list or a tree, or the tab, that arrow keys lead to. */
  readonly along?: {
    readonly from: (at: At) => Locator;
    readonly key: "ArrowDown" | "ArrowLeft" | "ArrowRight";
    readonly to: (at: At) => Locator;
  };
  readonly key: "Enter" | "Space";
  readonly opens: boolean;
  /** It stands before what had the focus. */
  readonly before?: true;
  /** What gets the focus back, where the control is gone by then. */
  readonly returns?: (at: At) => Locator;
}

export interface PeopleDialog {
  /** Of its pictures. */
  readonly name: string;
  /** Below src/ui: the code that shows it. */
  readonly file: string;
  /** The last step that opens something opens the dialog. */
  readonly steps: readonly Step[];
  /** What leads on from the form that the steps open. */
  readonly act?: (at: At) => Promise<void>;
  /** Puts the page back afterwards. */
  readonly after?: (at: At) => Promise<void>;
  readonly title: Words;
  /** It asks whether input may be lost, so that Escape leads back to the input. */
  readonly asksOfInput?: true;
}

export const topmost = (page: Page): Locator =>
  page.locator(".arco-modal:visible, .arco-drawer:visible").last();

const same = (name: string): Words => [name, name];
const of = ([zh, en]: Words, name: string): Words => [`${zh} ${name}`, `${en} ${name}`];
const control = (root: Locator, name: string): Locator =>
  root.getByRole("button", { name, exact: true }).or(root.getByRole("tab", { name })).first();

/** A button of the page. */
const button = (...words: Words): Step => ({
  target: ({ area, say }) => control(area, say(words)),
  key: "Enter",
  opens: true,
});
/** Where the arrow keys begin in the page's list or tree. */
const rows = ({ area }: At): Locator =>
  area.locator('[role=table], [role=row][data-id][tabindex="0"]').first();
/** A button in a row of the page's list. */
const inRow = (...words: Words): Step => {
  const row = ({ page, area, say }: At): Locator =>
    area
      .locator("[role=row][data-index], [role=row][data-id]")
      .filter({ has: page.getByRole("button", { name: say(words), exact: true }) })
      .first();
  const along = { from: rows, key: "ArrowDown", to: row } as const;
  return { along, target: (at) => control(row(at), at.say(words)), key: "Enter", opens: true };
};
const rowOf = (text: string, key: Step["key"]): Step => {
  const row = ({ area }: At): Locator =>
    area.locator("[role=row][data-index]").filter({ hasText: text }).first();
  const along = { from: rows, key: "ArrowDown", to: row } as const;
  return { along, target: row, key, opens: key === "Enter" };
};
/** A button of the dialog that is open. */
const inDialog = (...words: Words): Step => ({
  target: ({ page, say }) => control(topmost(page), say(words)),
  key: "Enter",
  opens: true,
});
const tab = (...words: Words): Step => {
  const { target } = inDialog(...words);
  const from = ({ page }: At): Locator =>
    topmost(page).locator("[role=tab][aria-selected=true]").first();
  return { along: { from, key: "ArrowRight", to: target }, target, key: "Enter", opens: false };
};

const press = async (at: At, ...words: Words): Promise<void> => {
  await tabTo(at.page, inDialog(...words).target(at));
  await at.page.keyboard.press("Enter");
};

const EDIT: Words = ["编辑", "Edit"];
const REMOVE: Words = ["删除", "Delete"];
const REMOVAL: Words = ["删除确认", "Delete"];
const CONFIRM: Words = ["提示", "Please confirm"];
const DETAIL: Words = ["员工详情", "Employee"];
const DRAWER: Words = ["详情", "Details"];

const ROLE = "运维人员";
const WITH_ACCOUNT = "李娜";
const DISABLED = "访客";
const DOCUMENT = "入职登记表";
const INVITED = `${MADE.invited} · ${MADE.department}`;
const OPEN_COMPANY = "城南消防工程有限公司";

const EMPLOYEE = "features/employees/EmployeeDialog.tsx";
const DOCUMENTS = "features/documents/DocumentDialogs.tsx";
const FIELDS = "features/fields/FieldSettingsPage.tsx";
const detailOf = (name: string): Step => inRow(...same(name));
/** A question in the details of an employee. */
const asked = (name: string, person: string, ...words: Words): PeopleDialog => ({
  name: `employee-${name}`,
  file: EMPLOYEE,
  steps: [detailOf(person), inDialog(...words)],
  title: words,
});
const detailTab = (name: string, ...words: Words): PeopleDialog => ({
  name: `employee-${name}`,
  file: EMPLOYEE,
  steps: [detailOf(WITH_ACCOUNT), tab(...words)],
  title: DETAIL,
});
const firstTag = ({ page }: At): Locator => page.locator("nav.tags .tag-link").first();
/** A switch of the first field that can be off, which the page then keeps until it is saved. */
const firstSwitch: Step = {
  target: ({ area }) => area.locator("[role=switch]:enabled").first(),
  key: "Space",
  opens: false,
};

/** By the uri of the page. */
export const PEOPLE_DIALOGS: Readonly<Record<string, readonly PeopleDialog[]>> = {
  "/system/role": [
    {
      name: "role-new",
      file: "features/roles/RoleDialog.tsx",
      steps: [button("新增", "New")],
      title: ["新增角色", "New role"],
    },
    {
      name: "role-edit",
      file: "features/roles/RoleDialog.tsx",
      steps: [inRow(...of(EDIT, ROLE))],
      title: ["修改角色", "Edit role"],
    },
    {
      name: "role-copy",
      file: "features/roles/RoleDialog.tsx",
      steps: [inRow(...of(["复制", "Copy"], ROLE))],
      title: [`复制角色：${ROLE}`, `Copy of ${ROLE}`],
    },
    {
      name: "role-rights",
      file: "features/roles/RightsDialog.tsx",
      steps: [inRow(...of(["权限", "Rights"], ROLE))],
      title: [`权限：${ROLE}`, `Rights of ${ROLE}`],
    },
    {
      name: "role-rights-unsaved",
      file: "features/roles/RightsDialog.tsx",
      steps: [inRow(...of(["权限", "Rights"], ROLE))],
      act: async ({ page }) => {
        // The library's checkbox has no size, so it is no target of Tab here (e2e/roles.spec.ts has the way to it).
        await topmost(page).locator("input[type=checkbox]:enabled").first().focus();
        await page.keyboard.press("Space");
        await page.keyboard.press("Escape");
      },
      title: CONFIRM,
      asksOfInput: true,
    },
    {
      name: "role-people",
      file: "features/roles/PeopleDialog.tsx",
      steps: [inRow("人员：员工", "People of 员工")],
      title: ["人员：员工", "People of 员工"],
    },
    {
      name: "role-people-take",
      file: "features/roles/PeopleDialog.tsx",
      steps: [
        inRow("人员：员工", "People of 员工"),
        inDialog(...of(["移除", "Remove"], WITH_ACCOUNT)),
      ],
      title: ["移除人员", "Remove people"],
    },
    {
      name: "role-remove",
      file: "pages/system/role.fixed.tsx",
      steps: [inRow(...of(REMOVE, ROLE))],
      title: REMOVAL,
    },
  ],
  "/system/dept": [
    {
      name: "department-new",
      file: "features/departments/DepartmentDialogs.tsx",
      steps: [button("新增", "New")],
      title: ["新增部门", "New department"],
    },
    {
      name: "department-edit",
      file: "features/departments/DepartmentDialogs.tsx",
      steps: [inRow(...of(EDIT, MADE.department))],
      title: ["修改部门", "Edit department"],
    },
    {
      name: "department-merge",
      file: "features/departments/DepartmentDialogs.tsx",
      steps: [inRow(...of(["合并", "Merge"], MADE.department))],
      title: [`合并部门：${MADE.department}`, `Merge ${MADE.department}`],
    },
    {
      name: "department-remove",
      file: "pages/system/dept.fixed.tsx",
      steps: [inRow(...of(REMOVE, MADE.department))],
      title: REMOVAL,
    },
  ],
  "/supplier/employees": [
    {
      name: "employee-new",
      file: "pages/supplier/employees.fixed.tsx",
      steps: [button("新增", "New")],
      title: ["新增员工", "New employee"],
    },
    {
      name: "employee-edit",
      file: "pages/supplier/employees.fixed.tsx",
      steps: [inRow(...of(EDIT, WITH_ACCOUNT))],
      title: ["编辑员工", "Edit employee"],
    },
    {
      name: "employee-remove",
      file: "pages/supplier/employees.fixed.tsx",
      steps: [inRow(...of(REMOVE, MADE.free))],
      title: REMOVAL,
    },
    {
      name: "employee-invite",
      file: "features/employees/InviteDialog.tsx",
      steps: [button("邀请员工", "Invite")],
      title: ["邀请员工", "Invite"],
    },
    {
      name: "employee-invite-link",
      file: "features/employees/InviteDialog.tsx",
      steps: [button("邀请员工", "Invite")],
      act: async (at) => {
        await press(at, "生成链接", "Create link");
        await at.page.getByRole("img", { name: at.say(["邀请二维码", "QR code"]) }).waitFor();
      },
      title: ["邀请员工", "Invite"],
    },
    { name: "employee-detail", file: EMPLOYEE, steps: [detailOf(WITH_ACCOUNT)], title: DETAIL },
    detailTab("documents", "入职材料", "Onboarding documents"),
    detailTab("roles", "角色", "Roles"),
    detailTab("history", "变更记录", "Changes"),
    {
      name: "employee-document-refuse",
      file: DOCUMENTS,
      steps: [
        detailOf(WITH_ACCOUNT),
        tab("入职材料", "Onboarding documents"),
        inDialog(...of(["退回", "Reject"], DOCUMENT)),
      ],
      title: [`退回${WITH_ACCOUNT}的“${DOCUMENT}”`, `Reject “${DOCUMENT}” of ${WITH_ACCOUNT}`],
    },
    asked("unbind", WITH_ACCOUNT, "解绑账号", "Unbind the account"),
    asked("disable", WITH_ACCOUNT, "停用账号", "Disable the account"),
    asked("enable", DISABLED, "启用账号", "Enable the account"),
    asked("release", WITH_ACCOUNT, "解除手机号", "Release the mobile"),
    asked("reset-factor", WITH_ACCOUNT, "重置两步验证", "Reset the two-step verification"),
    {
      ...asked("bind", MADE.free, "绑定账号", "Bind an account"),
      file: "features/employees/BindDialog.tsx",
    },
    {
      name: "employee-leave",
      file: "features/employees/LeaveDialog.tsx",
      steps: [inRow(...of(["离职", "Mark as departed"], MADE.free))],
      title: [`办理离职：${MADE.free}`, `Mark ${MADE.free} as departed`],
    },
    {
      name: "employees-department",
      file: "features/employees/bulk.ts",
      steps: [rowOf(MADE.free, "Space"), button("设置部门", "Set department")],
      title: ["设置部门", "Set department"],
      after: unchoose,
    },
    {
      name: "employees-leave",
      file: "features/employees/bulk.ts",
      steps: [rowOf(MADE.free, "Space"), button("批量离职", "Mark selected as departed")],
      title: ["批量离职", "Mark selected as departed"],
      after: unchoose,
    },
  ],
  "/supplier/dimission": [
    { name: "former-detail", file: EMPLOYEE, steps: [detailOf(MADE.former)], title: DETAIL },
    {
      name: "former-reinstate",
      file: "features/employees/ReinstateDialog.tsx",
      steps: [inRow(...of(["复职", "Reinstate"], MADE.former))],
      title: [`办理复职：${MADE.former}`, `Reinstate ${MADE.former}`],
    },
  ],
  "/supplier/invitations": [
    {
      name: "invitation-mobile",
      file: "features/employees/MobileInviteDialog.tsx",
      steps: [button("手机号邀请", "Invite by SMS")],
      title: ["手机号邀请", "Invite by SMS"],
    },
    {
      name: "invitation-mobile-done",
      file: "features/employees/MobileInviteDialog.tsx",
      steps: [button("手机号邀请", "Invite by SMS")],
      act: async (at) => {
        await at.page.keyboard.type(at.say(["13900001112", "13900001113"]));
        await press(at, "发送邀请", "Send");
        await at.page.getByRole("list", { name: at.say(["发送结果", "What was sent"]) }).waitFor();
      },
      title: ["发送结果", "What was sent"],
    },
    {
      name: "invitation-print",
      file: "features/employees/PrintQrDialog.tsx",
      steps: [button("打印二维码", "Print QR codes")],
      title: ["打印二维码", "Print QR codes"],
    },
    {
      name: "invitation-link",
      file: "pages/supplier/invitations.fixed.tsx",
      steps: [inRow(...of(["查看链接", "Show the link"], INVITED))],
      title: same(INVITED),
    },
    {
      name: "invitation-send",
      file: "pages/supplier/invitations.fixed.tsx",
      steps: [inRow(...of(["发送短信", "Send an SMS"], INVITED))],
      title: ["发送短信", "Send an SMS"],
    },
    {
      name: "invitation-revoke",
      file: "pages/supplier/invitations.fixed.tsx",
      steps: [inRow(...of(["撤回", "Revoke"], INVITED))],
      title: ["撤回", "Revoke"],
    },
    {
      name: "invitation-row",
      file: "components/list/RowDrawer.tsx",
      steps: [rowOf(INVITED, "Enter")],
      title: DRAWER,
    },
  ],
  "/supplier/applies": [
    {
      name: "apply-approve",
      file: "features/employees/ApproveDialog.tsx",
      steps: [inRow(...of(["通过", "Approve"], MADE.applicant))],
      title: [`通过“${MADE.applicant}”的申请`, `Approve “${MADE.applicant}”`],
    },
    {
      name: "apply-refuse",
      file: "pages/supplier/applies.fixed.tsx",
      steps: [inRow(...of(["拒绝", "Reject"], MADE.applicant))],
      title: [`拒绝“${MADE.applicant}”的申请`, `Reject “${MADE.applicant}”`],
    },
  ],
  "/supplier/handedDocuments": [
    {
      name: "document-accept",
      file: DOCUMENTS,
      steps: [inRow(...of(["通过", "Accept"], `${WITH_ACCOUNT} 安全生产承诺书`))],
      title: [
        `通过${WITH_ACCOUNT}的“安全生产承诺书”`,
        `Accept “安全生产承诺书” of ${WITH_ACCOUNT}`,
      ],
    },
    {
      name: "document-refuse",
      file: DOCUMENTS,
      steps: [inRow(...of(["退回", "Reject"], `${WITH_ACCOUNT} ${DOCUMENT}`))],
      title: [`退回${WITH_ACCOUNT}的“${DOCUMENT}”`, `Reject “${DOCUMENT}” of ${WITH_ACCOUNT}`],
    },
    {
      name: "document-hand-in",
      file: DOCUMENTS,
      steps: [inRow(...of(["代为提交", "Hand in for them"], `${WITH_ACCOUNT} ${DOCUMENT}`))],
      title: [`代${WITH_ACCOUNT}提交“${DOCUMENT}”`, `Hand in “${DOCUMENT}” for ${WITH_ACCOUNT}`],
    },
  ],
  "/system/company": [
    {
      name: "company-edit",
      file: "features/company/CompanyDialog.tsx",
      steps: [button(...EDIT)],
      title: ["编辑企业资料", "Edit the company's data"],
    },
  ],
  "/employeeSetfield": [
    {
      name: "own-field-new",
      file: "features/fields/OwnFieldDialog.tsx",
      steps: [button("新增", "New")],
      title: ["新增字段", "New field"],
    },
    {
      name: "own-field-edit",
      file: "features/fields/OwnFieldDialog.tsx",
      steps: [button(...of(["修改", "Edit"], MADE.ownField))],
      title: ["修改字段", "Edit field"],
    },
    {
      name: "own-field-remove",
      file: FIELDS,
      steps: [button(...of(REMOVE, MADE.ownField))],
      title: CONFIRM,
    },
    {
      name: "fields-reset",
      file: FIELDS,
      steps: [button("恢复默认", "Restore defaults")],
      title: ["恢复默认", "Restore defaults"],
    },
    {
      name: "fields-leave",
      file: "features/fields/useLeaveQuestion.ts",
      steps: [
        firstSwitch,
        {
          // The row of tags is one stop of Tab.
          along: {
            from: ({ page }) => page.locator('nav.tags .tag-link[tabindex="0"]'),
            key: "ArrowLeft",
            to: firstTag,
          },
          target: firstTag,
          key: "Enter",
          opens: true,
          before: true,
        },
      ],
      title: CONFIRM,
      after: async (at) => {
        await firstSwitch.target(at).focus();
        await at.page.keyboard.press("Space");
      },
    },
  ],
  "/setfield": [
    {
      name: "company-fields-reset",
      file: FIELDS,
      steps: [button("恢复默认", "Restore defaults")],
      title: ["恢复默认", "Restore defaults"],
    },
  ],
  "/monitor/applies": [
    {
      name: "company-approve",
      file: "pages/monitor/applies.fixed.tsx",
      steps: [inRow(...of(["通过", "Approve"], MADE.company))],
      title: ["通过", "Approve"],
    },
    {
      name: "company-refuse",
      file: "pages/monitor/applies.fixed.tsx",
      steps: [inRow(...of(["拒绝", "Reject"], MADE.company))],
      title: [`拒绝“${MADE.company}”`, `Reject “${MADE.company}”`],
    },
  ],
  "/monitor/companies": [
    {
      name: "company-lock",
      file: "pages/monitor/companies.fixed.tsx",
      steps: [inRow(...of(["锁定", "Lock"], OPEN_COMPANY))],
      title: [`锁定“${OPEN_COMPANY}”`, `Lock “${OPEN_COMPANY}”`],
    },
    {
      name: "company-unlock",
      file: "pages/monitor/companies.fixed.tsx",
      steps: [inRow(...of(["解锁", "Unlock"], MADE.lockedCompany))],
      title: ["解锁", "Unlock"],
    },
  ],
  "/monitor/online": [
    {
      name: "online-end",
      file: "pages/monitor/online.fixed.tsx",
      steps: [inRow(...of(["强退", "Sign out"], WITH_ACCOUNT))],
      title: ["强退", "Sign out"],
    },
  ],
};

/** The rows that were chosen are none any more. */
async function unchoose({ area, say }: At): Promise<void> {
  await area.getByRole("button", { name: say(["取消选择", "Clear selection"]) }).click();
}
