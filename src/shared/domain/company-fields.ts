/** The fields in which a company says of itself what it wants, with their names. In the order of the form. */

export const COMPANY_FIELDS = {
  logo: ["企业标志", "Logo"],
  shortName: ["企业简称", "Short name"],
  creditCode: ["统一社会信用代码", "Unified social credit code"],
  legalPerson: ["法定代表人", "Legal representative"],
  contact: ["联系人", "Contact"],
  phone: ["联系电话", "Phone"],
  address: ["地址", "Address"],
  introduction: ["企业简介", "Introduction"],
} as const;
export type CompanyFieldKey = keyof typeof COMPANY_FIELDS;
export const COMPANY_FIELD_KEYS = Object.keys(COMPANY_FIELDS) as readonly CompanyFieldKey[];
