/** A new password for one that was forgotten (docs/session.md#forgotten-password), at /login?reset. */
import { useNavigate } from "react-router-dom";
import { LOGIN_PATH } from "../../../shared/domain/guard.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { CodeForm } from "./CodeForm.tsx";
import { RESET_FIELDS, resetOf } from "./fields.ts";
import { REGISTER_TEXTS } from "./texts.ts";

export function ResetPage() {
  const text = useTexts(REGISTER_TEXTS);
  const { rest } = useCore().commands;
  const navigate = useNavigate();
  return (
    <CodeForm
      title={text("resetTitle")}
      subtitle={text("resetSubtitle")}
      fields={RESET_FIELDS}
      submitText={text("resetSubmit")}
      loginText={text("resetBack")}
      save={async (values, asked) => {
        const body = { ...resetOf(values), ...asked };
        await rest.call({ call: "auth.resetPassword", body });
        showMessage("success", text("resetDone"));
        void navigate(LOGIN_PATH, { replace: true });
      }}
    />
  );
}
