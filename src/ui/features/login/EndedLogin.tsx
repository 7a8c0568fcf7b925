/** Says at the login why the last one was ended by somebody else (docs/session.md#end-of-access). Few people ever need it. */
import { PlainIcon } from "../../components/PlainIcon.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";

const TEXTS = texts({
  "signed-out": [
    "您在此设备的登录已被结束（在其他设备或由管理员操作，或密码已修改），请重新登录。",
    "Your login on this device was ended, from another device, by an administrator, or by a new password. Please log in again.",
  ],
  dismissed: [
    "您已不在企业中（已离职或账号已解绑），登录已结束，进行中的通话、会议和导入已停止。如有疑问，请联系企业管理员。",
    "You are no longer in the company: your employment has ended, or your account was unbound. Your login has ended, and calls, conferences and imports have stopped. If this is wrong, ask the company's administrator.",
  ],
  disabled: [
    "您的账号已停用，登录已结束，进行中的通话、会议和导入已停止。如有疑问，请联系企业管理员。",
    "Your account was disabled. Your login has ended, and calls, conferences and imports have stopped. If this is wrong, ask the company's administrator.",
  ],
  "company-locked": [
    "您所在的企业已被平台锁定，登录已结束，进行中的通话、会议和导入已停止。再次登录可查看原因；如有疑问，请联系平台管理员。",
    "Your company was locked by the platform. Your login has ended, and calls, conferences and imports have stopped. Log in again to read why; ask the platform's administrator if this is wrong.",
  ],
});

export default function EndedLogin({ why }: { readonly why: keyof typeof TEXTS }) {
  const text = useTexts(TEXTS);
  return (
    <p className="login-refused login-ended" role="alert">
      <PlainIcon name="exclamation" />
      <span>{text(why)}</span>
    </p>
  );
}
