/** Texts of what a list page opens over itself, loaded with it. */
import { texts } from "../../i18n/texts.ts";

export const COLUMNS_TEXTS = texts({
  columnsHint: [
    "点击列名显示或隐藏；拖动、箭头按钮或 Alt+↑↓ 调整顺序",
    "Click a column to show or hide it; drag, or use the arrows or Alt+↑↓, to move it",
  ],
  columnUp: ["上移 {{title}}", "Move {{title}} up"],
  columnDown: ["下移 {{title}}", "Move {{title}} down"],
  columnMoved: [
    "{{title}} 现为第 {{place}} 列，共 {{count}} 列",
    "{{title}} is column {{place}} of {{count}}",
  ],
  resetColumns: ["恢复默认", "Restore defaults"],
  columnsReset: ["已恢复默认，确定后生效", "Restored; OK applies it"],
  oneColumn: ["至少显示一列", "Show at least one column"],
  shown: ["显示", "Show"],
  hidden: ["隐藏", "Hide"],
});

export const BULK_TEXTS = texts({
  left: [
    "另有 {{count}} 条不适用，将被跳过。",
    "It does not apply to {{count}} more, which are left out.",
  ],
  progress: ["已处理 {{done}} / {{total}} 条", "{{done}} of {{total}} done"],
  stop: ["停止", "Stop"],
  done: ["{{count}} 条全部成功。", "All {{count}} succeeded."],
  some: ["{{done}} 条成功，{{failed}} 条失败。", "{{done}} succeeded, {{failed}} failed."],
  stopped: ["其余 {{count}} 条未处理。", " {{count}} were not begun."],
  moreFailed: ["另有 {{count}} 条失败", "{{count}} more failed"],
  name: ["名称", "Name"],
  reason: ["失败原因", "Reason"],
});

export const SAVED_TEXTS = texts({
  title: ["常用筛选", "Saved filters"],
  name: ["名称", "Name"],
  save: ["保存当前条件", "Save the present filter"],
  apply: ["使用 {{name}}", "Use {{name}}"],
  remove: ["删除 {{name}}", "Delete {{name}}"],
  none: ["还没有保存的筛选", "No filter is saved yet"],
  nothing: ["当前没有关键字、筛选或排序", "There is no keyword, filter or order to save"],
  needsName: ["请填写名称", "Enter a name"],
  replaced: ["同名的筛选将被替换", "A filter of this name will be replaced"],
  full: ["最多保存 {{count}} 个", "At most {{count}} can be saved"],
});

export const ADVANCED_TEXTS = texts({
  title: ["高级筛选", "Advanced filter"],
  apply: ["筛选", "Apply"],
  none: ["清除条件", "Remove all"],
  group: ["条件组", "Group"],
  logic: ["组内关系", "Join"],
  and: ["满足全部条件", "All conditions"],
  or: ["满足任一条件", "Any condition"],
  addRule: ["添加条件", "Add condition"],
  addGroup: ["添加条件组", "Add group"],
  removeRule: ["删除条件", "Remove condition"],
  removeGroup: ["删除条件组", "Remove group"],
  field: ["字段", "Field"],
  operator: ["运算", "Operator"],
  value: ["值", "Value"],
  end: ["结束值", "End"],
  inHint: ["用逗号分隔", "Separated by commas"],
  missing: ["请填写值", "Enter a value"],
  number: ["应为数字", "Enter a number"],
  date: ["日期不存在", "There is no such day"],
  order: ["结束值不能小于开始值", "The end is before the beginning"],
  many: ["条件过多", "There are too many conditions"],
  long: ["筛选条件过长", "The filter is too long"],
});

export const OPERATOR_TEXTS = texts({
  eq: ["等于", "is"],
  ne: ["不等于", "is not"],
  contains: ["包含", "contains"],
  startsWith: ["开头为", "begins with"],
  gt: ["大于", "greater than"],
  ge: ["大于等于", "at least"],
  lt: ["小于", "less than"],
  le: ["小于等于", "at most"],
  between: ["介于", "between"],
  in: ["属于其一", "is one of"],
  isEmpty: ["为空", "is empty"],
  notEmpty: ["不为空", "is not empty"],
});
