/** Tells administrators that nobody can get a code by SMS, and what to configure (docs/server.md#sms). Nothing while a sender is there. */
import { PlainIcon } from "../../components/PlainIcon.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useSmsSender } from "./useSmsSender.ts";
import "./sms.css";

const TEXTS = texts({
  missing: ["未配置短信服务", "No SMS service is configured"],
  what: [
    "企业注册、邀请加入、找回密码和更换手机号都需要短信验证码，现在都无法完成。",
    "Registration, invitations, forgotten passwords and new mobile numbers need a code by SMS, and none of them works now.",
  ],
  how: [
    "请平台管理员在服务器上设置 SMS_WEBHOOK_URL（可加 SMS_WEBHOOK_SECRET），或 SMS_ALIYUN_KEY_ID、SMS_ALIYUN_KEY_SECRET、SMS_ALIYUN_SIGN_NAME 和 SMS_ALIYUN_TEMPLATE_CODE，然后重启。说明见 README.md 的“Connect it to a real platform”和 docs/server.md 的“SMS”。",
    "The platform's administrator sets SMS_WEBHOOK_URL (perhaps with SMS_WEBHOOK_SECRET) on the server, or SMS_ALIYUN_KEY_ID, SMS_ALIYUN_KEY_SECRET, SMS_ALIYUN_SIGN_NAME and SMS_ALIYUN_TEMPLATE_CODE, and starts it again. See “Connect it to a real platform” in README.md and “SMS” in docs/server.md.",
  ],
});

export const SmsNotice = () => (useSmsSender() === false ? <MissingSms /> : null);

export function MissingSms() {
  const text = useTexts(TEXTS);
  return (
    <section className="panel sms-notice" role="status">
      <PlainIcon name="exclamation" />
      <div>
        <strong>{text("missing")}</strong>
        <p>{text("what")}</p>
        <p>{text("how")}</p>
      </div>
    </section>
  );
}
