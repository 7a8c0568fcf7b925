/** Texts of dialogs alone, apart from those of the list, which is loaded with the frame. */
import { texts } from "../../i18n/texts.ts";

export const DIALOG_TEXTS = texts({
  linkPicture: ["邀请二维码", "QR picture of the invitation"],
  facts: ["基本信息", "Details"],
  history: ["变更记录", "Changes"],
  historyFailed: ["变更记录未能加载", "The changes could not be loaded"],
  historyTo: ["改为", "changed to"],
  resetFactor: ["重置两步验证", "Reset the two-step login"],
  resetFactorAsk: [
    "确定要重置“{{name}}”的两步验证吗？此后登录只需密码，直到本人重新开启。",
    "Reset the two-step login of “{{name}}”? Until they turn it on again, the password is enough.",
  ],
  resetFactorDone: ["两步验证已重置", "The two-step login is reset"],
  inviteHint: [
    "每个链接供一位员工使用：验证手机号、设置登录账号后即加入企业。",
    "Each link is for one person, who proves a mobile number, sets a login and then belongs to the company.",
  ],
  inviteMake: ["生成链接", "Make the link"],
  hours: ["有效小时数", "Valid for hours"],
  hoursWrong: ["应为 1 到 720 的整数", "A whole number from 1 to 720"],
  link: ["邀请链接", "Link of the invitation"],
  linkCount: ["链接数量", "Number of links"],
  linkCountWrong: ["应为 1 到 50 的整数", "A whole number from 1 to 50"],
  linkHint: ["请将链接分别发给员工。", "Give each person one of the links."],
  expires: ["有效期至 {{time}}", "Valid until {{time}}"],
  copy: ["复制链接", "Copy the link"],
  copied: ["链接已复制", "The link is copied"],
  detail: ["员工详情", "Employee"],
  bind: ["绑定账号", "Bind an account"],
  bound: ["已绑定账号 {{name}}", "Bound to the account {{name}}"],
  unbound: ["未绑定账号", "No account is bound"],
  unbind: ["解绑账号", "Unbind the account"],
  unbindAsk: [
    "解绑后该账号将不能进入本企业，确定要解绑吗？",
    "The account can no longer enter the company. Unbind it?",
  ],
  applicant: ["申请加入的账号", "Account that applied"],
  noApplicants: ["没有申请加入企业的账号", "No account has applied to the company"],
  bindDone: ["账号已绑定", "The account is bound"],
  unbindDone: ["账号已解绑", "The account is unbound"],
});
