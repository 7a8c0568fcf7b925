/** /register (docs/session.md#registration): a company, its contact and its first administrator, with a code by SMS. */
import { useNavigate } from "react-router-dom";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { CodeForm } from "./CodeForm.tsx";
import { REGISTER_FIELDS, registrationOf } from "./fields.ts";
import { REGISTER_TEXTS } from "./texts.ts";

export function RegisterPage() {
  const text = useTexts(REGISTER_TEXTS);
  const { rest } = useCore().commands;
  const navigate = useNavigate();
  return (
    <CodeForm
      title={text("title")}
      subtitle={text("subtitle")}
      fields={REGISTER_FIELDS}
      submitText={text("submit")}
      loginText={text("toLogin")}
      save={async (values, asked) => {
        const body = { ...registrationOf(values), ...asked };
        await rest.call({ call: "registration.create", body });
        void navigate("/nextPage", { replace: true });
      }}
    />
  );
}
