/** Texts of the second factor. */
import { texts } from "../../i18n/texts.ts";

export const TWO_FACTOR_TEXTS = texts({
  title: ["两步验证", "Two-step verification"],
  failed: ["两步验证的状态未能加载", "The state of the two-step verification could not be loaded"],
  off: [
    "未开启。开启后，登录时除密码外还需输入验证器应用中的验证码。",
    "Off. Once it is on, a login needs a code from your authenticator app beside the password.",
  ],
  on: ["已于 {{time}} 开启", "On since {{time}}"],
  left: ["剩余 {{count}} 个恢复码", "{{count}} recovery codes left"],
  begin: ["开启两步验证", "Turn on"],
  renew: ["重新生成恢复码", "New recovery codes"],
  end: ["关闭两步验证", "Turn off"],
  password: ["登录密码", "Your password"],
  next: ["下一步", "Next"],
  scan: [
    "用验证器应用扫描二维码，或手动输入密钥，然后填写应用显示的 6 位验证码。",
    "Scan the picture with your authenticator app, or type the key. Then enter the six digits that it shows.",
  ],
  picture: ["验证器二维码", "QR code for the authenticator"],
  key: ["密钥", "Key"],
  code: ["验证码", "Code"],
  codeOrRecovery: ["验证码或恢复码", "Code or recovery code"],
  codeHint: [
    "验证器应用中的 6 位验证码；无法使用时可填写恢复码",
    "The six digits of your authenticator app, or a recovery code without it",
  ],
  confirm: ["确认开启", "Turn on"],
  recoveryTitle: ["恢复码", "Recovery codes"],
  recoveryHint: [
    "请妥善保存，关闭后不再显示。手机不在身边时，每个恢复码可代替验证码登录一次。",
    "Keep them safe: they are not shown again. Each takes the place of a code for one login.",
  ],
  copy: ["复制", "Copy"],
  copied: ["已复制", "Copied"],
  download: ["下载", "Download"],
  file: ["恢复码.txt", "recovery-codes.txt"],
  kept: ["我已保存", "I have kept them"],
  ended: ["两步验证已关闭", "The two-step verification is off"],
});
