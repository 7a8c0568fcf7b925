import { texts } from "../../i18n/texts.ts";

export const COMPANY_TEXTS = texts({
  title: ["企业资料", "Company profile"],
  failed: ["企业资料未能加载", "The company's data could not be loaded"],
  edit: ["编辑", "Edit"],
  editTitle: ["编辑企业资料", "Edit the company's data"],
  saved: ["保存成功", "Saved"],
  none: ["未填写", "Not given"],
  name: ["企业名称", "Name"],
  logo: ["企业标志", "Logo"],
  licence: ["营业执照", "Business licence"],
  shortName: ["企业简称", "Short name"],
  creditCode: ["统一社会信用代码", "Unified social credit code"],
  creditCodeRule: ["18 位数字和大写字母", "18 digits and capital letters"],
  legalPerson: ["法定代表人", "Legal representative"],
  contact: ["联系人", "Contact"],
  phone: ["联系电话", "Phone"],
  phoneRule: ["电话格式不正确", "This is not a phone number"],
  address: ["地址", "Address"],
  introduction: ["企业简介", "Introduction"],
});
