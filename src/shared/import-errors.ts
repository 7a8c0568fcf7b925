/** The part of the catalogue of errors (errors.ts) that concerns batch imports. */
import { entry } from "./error-entry.ts";

export const importErrors = {
  // files of a batch import: what is wrong, and what to do about it
  "import.cancelled": entry(0, "导入已取消"),
  "import.empty": entry(400, "文件是空的，没有可以导入的内容"),
  "import.not-table": entry(400, "无法识别这个文件，请选择 .xlsx、.xls 或 .csv 表格文件"),
  "import.plain-text": entry(
    400,
    "这个文件的名字是表格，内容却是普通文字，不是表格，可能没有正确导出或下载。请重新导出，或用 Excel 或 WPS 打开核对后另存为 .xlsx 再导入",
  ),
  "import.html": entry(
    400,
    "这个文件其实是网页，不是表格。请用 Excel 或 WPS 打开后另存为 .xlsx 再导入",
  ),
  "import.unsupported": entry(400, "暂不支持这种表格格式，请用 Excel 或 WPS 另存为 .xlsx 再导入"),
  "import.encrypted": entry(
    400,
    "文件设有打开密码，请在 Excel 或 WPS 中打开，去掉密码后另存再导入",
  ),
  "import.lock-file": entry(
    400,
    "这是 Excel 打开文件时留下的临时文件，请选择名称前面没有 ~$ 的文件",
  ),
  "import.corrupt": entry(400, "文件已损坏或不完整，请重新保存或重新下载后再导入"),
  "import.too-large": entry(413, "表格内容过大，超出了可以导入的范围，请拆分成几个文件再导入"),
  "import.too-many-rows": entry(413, "表格超过 1,048,576 行，请拆分成几个文件再导入"),
  "import.too-many-columns": entry(413, "表格超过 500 列，请删去不需要的列再导入"),
  "import.cell-too-long": entry(413, "有单元格的内容超过 32,767 个字，请缩短后再导入"),
  "import.encoding": entry(
    400,
    "文件的文字编码无法确定，请在“编码”里选择能正确显示内容的一种，或另存为“CSV UTF-8”再导入",
  ),
  "import.csv-quote": entry(400, "有一个双引号没有成对，后面的内容无法分列，请检查后再导入"),
  "import.staging-full": entry(
    0,
    "本机的存储空间不足，无法暂存要导入的内容，请清理磁盘空间后重试",
    true,
  ),
  "import.no-sheet": entry(400, "文件里没有工作表"),
  // sending of what was checked
  "import.too-many-jobs": entry(409, "本公司正在进行的导入过多，将在其他导入结束后继续", true),
  "import.closed": entry(409, "该导入任务已取消"),
  "import.other-shape": entry(
    409,
    "该文件已用另一个版本的程序导入过一部分，请稍作修改并另存后重新导入",
  ),
  "import.staging-lost": entry(
    0,
    "浏览器清除了待导入的数据，请重新选择文件导入，已导入的行不会重复",
  ),
};
