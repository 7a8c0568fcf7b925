/** In place of a form that needs a code by SMS, while the platform can send none: what to do instead. */
import { Button } from "@arco-design/web-react";
import { useNavigate } from "react-router-dom";
import { LOGIN_PATH } from "../../../shared/domain/guard.ts";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useTitle } from "../../state/title.ts";
import { PlainPage } from "../fallback/PlainPage.tsx";

const TEXTS = texts({
  register: ["暂时无法注册", "Registration is not possible now"],
  registerHint: [
    "平台还没有配置短信服务，不能发送注册所需的验证码。请联系平台管理员配置后再注册；已填写的内容会保留在此标签页。",
    "The platform has no SMS service yet and cannot send the code that a registration needs. Ask the platform's administrator to set one up; what you have entered stays in this tab.",
  ],
  reset: ["暂时无法用短信重置密码", "A reset by SMS is not possible now"],
  resetHint: [
    "平台还没有配置短信服务，不能发送验证码。如果您在其他设备上还保持登录，可以在个人中心用原密码修改；否则请联系平台管理员。",
    "The platform has no SMS service yet and cannot send a code. If you are still logged in on another device, change your password by the old one in your profile there; otherwise ask the platform's administrator.",
  ],
  states: ["暂时无法用短信查询", "The state cannot be shown by SMS now"],
  statesHint: [
    "平台还没有配置短信服务，不能发送验证码。请登录后查看申请状态，或联系平台管理员。",
    "The platform has no SMS service yet and cannot send a code. Log in to see the state of your application, or ask the platform's administrator.",
  ],
  login: ["去登录", "Go to login"],
});

export function SmsMissing({ what }: { readonly what: "register" | "reset" | "states" }) {
  const text = useTexts(TEXTS);
  const navigate = useNavigate();
  useTitle(text(what));
  return (
    <PlainPage icon="broken" title={text(what)} hint={text(`${what}Hint`)}>
      <Button type="primary" onClick={() => void navigate(LOGIN_PATH)}>
        {text("login")}
      </Button>
    </PlainPage>
  );
}
