/** Texts that every list shows. */
import { texts } from "../../i18n/texts.ts";

export const LIST_TEXTS = texts({
  actions: ["操作", "Actions"],
  create: ["新增", "New"],
  edit: ["编辑", "Edit"],
  remove: ["删除", "Delete"],
  saved: ["保存成功", "Saved"],
  removed: ["删除成功", "Deleted"],
  removeTitle: ["删除确认", "Delete"],
  removeOne: ["确定要删除“{{name}}”吗？", "Delete “{{name}}”?"],
  removeMany: ["确定要删除选中的 {{count}} 项吗？", "Delete the {{count}} selected items?"],
  chosen: ["已选 {{count}} 项", "{{count}} selected"],
  unselect: ["取消选择", "Clear selection"],
  choose: ["选择第 {{row}} 行", "Select row {{row}}"],
  chooseAll: ["选择前 {{count}} 行", "Select the first {{count}} rows"],
  tooMany: ["一次最多选择 {{count}} 项", "At most {{count}} items at a time"],
  filters: ["筛选条件", "Filters"],
  clear: ["重置", "Reset"],
  any: ["全部", "All"],
});
