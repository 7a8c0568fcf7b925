import { COMPANY_FIELDS } from "../../../shared/domain/company-fields.ts";
import { texts } from "../../i18n/texts.ts";

export const COMPANY_TEXTS = texts({
  title: ["企业资料", "Company profile"],
  failed: ["企业资料未能加载", "The company's data could not be loaded"],
  edit: ["编辑", "Edit"],
  editTitle: ["编辑企业资料", "Edit the company's data"],
  saved: ["保存成功", "Saved"],
  none: ["未填写", "Not given"],
  name: ["企业名称", "Name"],
  ...COMPANY_FIELDS,
  licence: ["营业执照", "Business licence"],
  creditCodeRule: ["18 位数字和大写字母", "18 digits and capital letters"],
  phoneRule: ["电话格式不正确", "This is not a phone number"],
});
