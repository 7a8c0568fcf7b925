/** Texts that every list shows. */
import { texts } from "../../i18n/texts.ts";

export const LIST_TEXTS = texts({
  actions: ["操作", "Actions"],
  create: ["新增", "New"],
  createFirst: ["添加第一条", "Add the first one"],
  edit: ["编辑", "Edit"],
  remove: ["删除", "Delete"],
  saved: ["保存成功", "Saved"],
  removed: ["删除成功", "Deleted"],
  removeTitle: ["删除确认", "Delete"],
  removeOne: ["确定要删除“{{name}}”吗？", "Delete “{{name}}”?"],
  removeMany: [
    "确定要删除选中的 {{count}} 条吗？",
    "Delete the {{count}} selected {count|row|rows}?",
  ],
  removeAll: ["批量删除", "Delete selected"],
  chosen: ["已选 {{count}} 条", "{{count}} selected"],
  chosenElsewhere: [
    "已选 {{count}} 条，其中 {{elsewhere}} 条当前未显示",
    "{{count}} selected, {{elsewhere}} of them not shown",
  ],
  chooseWhole: ["选择筛选出的全部 {{count}} 条", "Select all {{count}} that the filter holds"],
  wholeChosen: [
    "已选筛选出的全部 {{count}} 条",
    "All {{count}} that the filter holds are selected",
  ],
  wholeBut: [
    "已选筛选出的 {{count}} 条，另有 {{taken}} 条已除去",
    "{{count}} that the filter holds are selected, without {{taken}} that you took out",
  ],
  wholeTooMany: [
    "筛选出 {{total}} 条，一次最多处理 {{most}} 条；请先缩小筛选范围，再选择全部",
    "The filter holds {{total}} rows, and at most {{most}} are handled at once; narrow the filter to select all",
  ],
  lapsed: [
    "筛选条件已改变，不再选择“全部”",
    "The filter has changed, so its rows are not all selected any more",
  ],
  understood: ["知道了", "OK"],
  collecting: [
    "正在读取选中的 {{done}} / {{total}} 条",
    "Reading {{done}} of the {{total}} selected rows",
  ],
  unselect: ["取消选择", "Clear selection"],
  choose: ["选择第 {{row}} 行", "Select row {{row}}"],
  chooseAll: ["选择前 {{count}} 行", "Select the first {{count}} {count|row|rows}"],
  choosePage: ["选择本页", "Select this page"],
  tooMany: ["最多选择 {{count}} 条", "At most {{count}} rows can be selected"],
  filters: ["筛选条件", "Filters"],
  clear: ["重置", "Reset"],
  any: ["全部", "All"],
  export: ["导出", "Export"],
  columns: ["列设置", "Columns"],
  widthOf: ["调整 {{title}} 的列宽", "Width of {{title}}"],
  pixels: ["{{count}} 像素", "{{count}} pixels"],
  widthHint: [
    "拖动或用左右方向键调整列宽，双击或按 Delete 恢复",
    "Drag, or use the arrow keys; a double click or Delete restores the width",
  ],
  hideSearch: ["隐藏搜索", "Hide the filters"],
  showSearch: ["显示搜索", "Show the filters"],
  exporting: ["正在导出 {{done}} / {{total}} 行", "Exporting {{done}} of {{total}} rows"],
  cancel: ["取消", "Cancel"],
  scrolling: ["连续滚动", "Scroll through all"],
  paging: ["分页显示", "Show pages"],
  allRows: ["共 {{count}} 条", "{{count}} in all"],
  detail: ["详情", "Details"],
  rowGone: ["这条记录不存在，或已被删除", "This row does not exist, or was deleted"],
  rowElsewhere: [
    "这条记录不存在，或不在当前显示的列表中",
    "This row does not exist, or is not among the rows that the list shows now",
  ],
  rowOutside: [
    "这条记录不在当前显示的列表中",
    "This row is not among those that the list shows now",
  ],
  before: ["上一条", "Previous"],
  after: ["下一条", "Next"],
  advanced: ["高级筛选", "Advanced filter"],
  advancedOn: [
    "高级筛选（{{count}} 个条件）",
    "Advanced filter ({{count}} {count|condition|conditions})",
  ],
  savedFilters: ["常用筛选", "Saved filters"],
  print: ["打印", "Print"],
  printTotal: ["共 {{count}} 行 · {{time}}", "{{count}} {count|row|rows} · {{time}}"],
  printSome: [
    "打印前 {{count}} 行，共 {{total}} 行 · {{time}}",
    "The first {{count}} of {{total}} rows · {{time}}",
  ],
  printing: [
    "正在准备打印 {{done}} / {{total}} 行",
    "Preparing {{done}} of {{total}} rows to print",
  ],
});

export const CHOSEN_TEXTS = texts({
  between: ["、", ", "],
  more: ["{{names}} 等 {{count}} 条", "{{names}} and others, {{count}} in all"],
  elsewhere: [
    "包括在其他筛选条件下选中、当前未显示的 {{count}} 条：{{names}}",
    "Include the {{count}} that were selected under another filter and are not shown: {{names}}",
  ],
});
