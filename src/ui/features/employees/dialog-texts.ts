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
  disable: ["停用账号", "Disable the account"],
  disableAsk: [
    "确定要停用“{{name}}”的账号吗？该账号在所有设备和企业的登录会立即结束，直到重新启用。",
    "Disable the account of “{{name}}”? All of its logins end at once, in every company, until it is enabled again.",
  ],
  disableDone: ["账号已停用", "The account is disabled"],
  enable: ["启用账号", "Enable the account"],
  enableAsk: ["确定要启用“{{name}}”的账号吗？", "Enable the account of “{{name}}”?"],
  enableDone: ["账号已启用", "The account is enabled"],
  resetFactorDone: ["两步验证已重置", "The two-step login is reset"],
});
