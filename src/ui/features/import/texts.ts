/** Texts of warnings, corrections and departments in an import. They are loaded with its page. */
import { texts } from "../../i18n/texts.ts";

export const IMPORT_TEXTS = texts({
  noIdNumber: [
    "企业未使用身份证号，不能按身份证号更新",
    "The company does not use ID card numbers, by which employees would be found",
  ],
  leftOut: [
    "以下列有内容但不会导入：{{columns}}",
    "These columns have content and are not imported: {{columns}}",
  ],
  leftOutOne: [
    "{{name}}（{{count, number}} 个值）",
    "{{name}} ({{count, number}} {count|value|values})",
  ],
  kept: [
    "这个文件在 {{time}} 做过 {{count, number}} 处修改，尚未导入。开始检查时会继续使用这些修改。",
    "{{count, number}} {count|correction was|corrections were} made to this file on {{time}} and not imported yet. The check continues with {count|it|them}.",
  ],
  keptHere: [
    "之前做的 {{count, number}} 处修改会在检查时继续使用。",
    "The check continues with the {{count, number}} {count|correction that was|corrections that were} made.",
  ],
  drop: ["放弃这些修改", "Discard the corrections"],
  dropAsk: [
    "放弃 {{count, number}} 处修改后不能恢复。确定放弃吗？",
    "{{count, number}} {count|correction cannot be brought back. Discard it?|corrections cannot be brought back. Discard them?}",
  ],
  againAsk: [
    "这个文件有 {{count, number}} 处修改尚未导入。修改会保留在本机，再次选择同一个文件时可以继续使用。确定换一个文件吗？",
    "{{count, number}} {count|correction of this file is|corrections of this file are} not imported yet. This browser keeps {count|it and offers it|them and offers them} when the same file is chosen again. Choose another file?",
  ],
  warned: ["有提醒 {{count, number}} 行", "{{count, number}} have warnings"],
  viewWarned: ["只看有提醒的", "Warnings only"],
  spare: [
    "“{{name}}”有 {{count, number}} 行还有别的号码，只导入第一个。别的号码可以写入备注。",
    "{{count, number}} {count|row has|rows have} further numbers in “{{name}}”, of which the first is imported. The others can be written to the remarks.",
  ],
  spareMove: ["写入备注", "Write to remarks"],
  blank: [
    "有 {{count, number}} 行在对应的列里没有内容（例如只有序号或空格），不会导入。",
    "{{count, number}} {count|row holds|rows hold} nothing in the matched columns (only serial numbers or spaces, for example). {count|It is|They are} left out.",
  ],
  outMany: ["不导入这些行", "Leave these rows out"],
  totalRow: ["第 {{row}} 行（{{text}}）", "row {{row}} ({{text}})"],
  missing: [
    "文件里有 {{count, number}} 个部门在本企业中没有：{{named}}",
    "The file names {{count, number}} {count|department|departments} that the company does not have: {{named}}",
  ],
  missingOne: ["{{path}}（{{count, number}} 行）", "{{path}} ({{count, number}} {count|row|rows})"],
  missingMore: ["等", " and more"],
  missingDenied: [
    "您没有新建部门的权限，可请管理员新建，或在这里改为已有的部门。",
    "You may not create departments. Ask an administrator, or change them here to existing ones.",
  ],
  missingCreate: ["新建部门…", "Create departments…"],
  missingTitle: ["新建部门", "Create departments"],
  missingIntro: [
    "勾选要新建的部门。新建后会重新检查，已做的修改会保留。",
    "Choose the departments to create. The file is checked again afterwards, with the corrections that you made.",
  ],
  missingMeant: ["可能是“{{name}}”", "perhaps “{{name}}”"],
  missingOk: [
    "新建 {{count, number}} 个部门",
    "Create {{count, number}} {count|department|departments}",
  ],
  missingDone: ["已新建，正在重新检查", "Created. The file is checked again"],
  fieldsKept: [
    "企业的员工字段设置已变更，本次导入仍按打开文件时的设置进行。",
    "The company changed the fields of employees. This import keeps those with which the file was opened.",
  ],
  fieldsMust: [
    "企业的员工字段设置已变更，采用新设置后才能导入。已选的列和修改都会保留。",
    "The company changed the fields of employees. The import can begin once it uses the new settings. Columns and corrections stay.",
  ],
  fieldsGone: ["不再使用：{{fields}}", "No longer used: {{fields}}"],
  fieldsDemanded: ["现为必填：{{fields}}", "Now required: {{fields}}"],
  fieldsAdded: ["新增：{{fields}}", "New: {{fields}}"],
  fieldsEnd: ["；", "; "],
  fieldsAdopt: ["采用新设置", "Use the new settings"],
  goneField: ["{{name}}（企业已不再使用）", "{{name}} (no longer used)"],
  leave: ["离开", "Leave"],
  stay: ["留在本页", "Stay"],
  leaveAsk: [
    "有 {{count, number}} 处修改尚未导入。修改会保留在本机，再次选择同一个文件时可以继续使用。确定离开吗？",
    "{{count, number}} {count|correction is|corrections are} not imported yet. This browser keeps {count|it and offers it|them and offers them} when the same file is chosen again. Leave this page?",
  ],
});
