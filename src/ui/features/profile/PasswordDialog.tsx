/** A new password, by the old one or by a code to the proved mobile (docs/session.md#profile). */
import { useState } from "react";
import { PASSWORD_RULE } from "../../../shared/domain/password-rule.ts";
import { newPasswordSchema, smsCodeSchema } from "../../../shared/protocol/rest/registration.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { smsCodeControl } from "./SmsCodeInput.tsx";
import { PROFILE_TEXTS } from "./texts.ts";

const RULE = texts({ rule: PASSWORD_RULE });

/** @param props.bySms the person has proved a mobile, and the platform can send codes */
export default function PasswordDialog(props: {
  readonly bySms: boolean;
  readonly onClose: () => void;
}) {
  const text = useTexts(PROFILE_TEXTS);
  const ruleText = useTexts(RULE);
  const { rest } = useCore().commands;
  const [requestKey, setRequestKey] = useState<string | undefined>();
  const rule = ruleText("rule");
  return (
    <FormDialog
      title={text("password")}
      intro={<p>{text("passwordHint")}</p>}
      fields={[
        {
          key: "proof",
          label: text("proof"),
          input: "select",
          required: true,
          options: [
            { value: "password", label: text("oldPassword") },
            { value: "sms", label: text("smsProof") },
          ],
          shownWhen: () => props.bySms,
        },
        {
          key: "oldPassword",
          label: text("oldPassword"),
          input: "password",
          required: true,
          shownWhen: ({ proof }) => proof !== "sms",
        },
        {
          key: "smsCode",
          label: text("smsCode"),
          required: true,
          shownWhen: ({ proof }) => proof === "sms",
          check: (value) => (smsCodeSchema.safeParse(value).success ? null : text("codeRule")),
          control: smsCodeControl({
            send: () => rest.call({ call: "profile.sendCode" }),
            onAsked: setRequestKey,
          }),
        },
        {
          key: "newPassword",
          label: text("newPassword"),
          input: "password",
          required: true,
          max: 72,
          hint: rule,
          check: (value) => (newPasswordSchema.safeParse(value).success ? null : rule),
        },
        {
          key: "again",
          label: text("again"),
          input: "password",
          required: true,
          check: (value, values) => (value === values["newPassword"] ? null : text("differs")),
        },
      ]}
      values={{ proof: "password", oldPassword: "", smsCode: "", newPassword: "", again: "" }}
      save={({ proof, oldPassword = "", smsCode = "", newPassword = "" }) =>
        rest.call({
          call: "profile.password",
          body:
            proof === "sms"
              ? { smsCode, newPassword, ...(requestKey === undefined ? {} : { requestKey }) }
              : { oldPassword, newPassword },
        })
      }
      onClose={props.onClose}
      onSaved={() => showMessage("success", text("passwordSaved"))}
    />
  );
}
