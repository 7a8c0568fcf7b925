/** A new password for one that was forgotten (docs/session.md#forgotten-password), at /login?reset. */
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { LOGIN_PATH } from "../../../shared/domain/guard.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { useSmsSender } from "../sms/useSmsSender.ts";
import { CodeForm } from "./CodeForm.tsx";
import { EMPTY, RESET_FIELDS, resetOf } from "./fields.ts";
import { SmsMissing } from "./SmsMissing.tsx";
import { REGISTER_TEXTS } from "./texts.ts";

export function ResetPage() {
  const text = useTexts(REGISTER_TEXTS);
  const { rest } = useCore().commands;
  const navigate = useNavigate();
  const [values, setValues] = useState(EMPTY);
  const [requestKey, setRequestKey] = useState<string | undefined>();
  const sends = useSmsSender();
  if (sends === false) return <SmsMissing what="reset" />;
  return (
    <CodeForm
      title={text("resetTitle")}
      subtitle={text("resetSubtitle")}
      fields={RESET_FIELDS}
      submitText={text("resetSubmit")}
      loginText={text("resetBack")}
      values={values}
      onChange={setValues}
      onAsked={setRequestKey}
      save={async (given) => {
        const body = { ...resetOf(given), ...(requestKey === undefined ? {} : { requestKey }) };
        await rest.call({ call: "auth.resetPassword", body });
        showMessage("success", text("resetDone"));
        void navigate(LOGIN_PATH, { replace: true });
      }}
    />
  );
}
