import { texts } from "../../i18n/texts.ts";

export const RICH_TEXTS = texts({
  tools: ["格式", "Format"],
  bold: ["加粗", "Bold"],
  italic: ["斜体", "Italic"],
  underline: ["下划线", "Underline"],
  strike: ["删除线", "Strikethrough"],
  heading: ["标题", "Heading"],
  subheading: ["小标题", "Subheading"],
  bullets: ["项目列表", "Bulleted list"],
  numbers: ["编号列表", "Numbered list"],
  quote: ["引用", "Quote"],
  link: ["链接", "Link"],
  picture: ["插入图片", "Insert a picture"],
  undo: ["撤销", "Undo"],
  redo: ["重做", "Redo"],
  address: ["链接地址", "Address of the link"],
  addressHint: [
    "以 http://、https://、mailto: 或 tel: 开头",
    "Begins with http://, https://, mailto: or tel:",
  ],
  apply: ["确定", "Apply"],
  remove: ["移除链接", "Remove the link"],
  insertFailed: ["图片插入失败：{{name}}，{{reason}}", "Image insert failed: {{name}}. {{reason}}"],
  uploading: ["正在上传 {{name}} {{percent}}%", "Uploading {{name}} {{percent}}%"],
  cancel: ["取消上传 {{name}}", "Cancel the upload of {{name}}"],
  missing: ["图片无法显示", "The picture cannot be shown"],
});
