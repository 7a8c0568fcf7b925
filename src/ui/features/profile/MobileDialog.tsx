/** A new mobile, proved by a code to it and by the person's password (docs/session.md#profile). */
import { Input } from "@arco-design/web-react";
import { type ReactNode, useState } from "react";
import { mobileSchema, smsCodeSchema } from "../../../shared/protocol/rest/registration.ts";
import type { ControlProps } from "../../components/form/kinds.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { smsCodeControl } from "./SmsCodeInput.tsx";
import { PROFILE_TEXTS } from "./texts.ts";

const mobileControl =
  (onTyped: (value: string) => void) =>
  ({ id, label, value, onChange, invalid, disabled, describedBy }: ControlProps): ReactNode => (
    <Input
      id={id}
      aria-label={label}
      aria-required
      aria-invalid={invalid}
      {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
      {...(invalid ? { status: "error" as const } : {})}
      type="tel"
      autoComplete="tel"
      maxLength={11}
      value={value}
      disabled={disabled}
      onChange={(next) => {
        onTyped(next);
        onChange(next);
      }}
    />
  );

/** @param props.first the person has proved none yet */
export default function MobileDialog(props: {
  readonly first: boolean;
  readonly onClose: () => void;
}) {
  const text = useTexts(PROFILE_TEXTS);
  const { rest } = useCore().commands;
  const [requestKey, setRequestKey] = useState<string | undefined>();
  /** As it is typed, for the button of the code. */
  const [typed, setTyped] = useState("");
  const mobile = mobileSchema.safeParse(typed.trim());
  return (
    <FormDialog
      title={text(props.first ? "mobileFirst" : "mobileChange")}
      intro={<p>{text("mobileHint")}</p>}
      fields={[
        {
          key: "mobile",
          label: text("mobileNew"),
          required: true,
          check: (value) => (mobileSchema.safeParse(value).success ? null : text("mobileRule")),
          control: mobileControl(setTyped),
        },
        {
          key: "smsCode",
          label: text("smsCode"),
          required: true,
          check: (value) => (smsCodeSchema.safeParse(value).success ? null : text("codeRule")),
          control: smsCodeControl({
            send: mobile.success
              ? () => rest.call({ call: "sms.send", body: { mobile: mobile.data } })
              : null,
            onAsked: setRequestKey,
          }),
        },
        { key: "password", label: text("ownPassword"), input: "password", required: true },
      ]}
      values={{ mobile: "", smsCode: "", password: "" }}
      save={({ mobile: wanted = "", smsCode = "", password = "" }) =>
        rest.call({
          call: "profile.mobile",
          body: {
            mobile: wanted,
            smsCode,
            password,
            ...(requestKey === undefined ? {} : { requestKey }),
          },
        })
      }
      onClose={props.onClose}
      onSaved={() => showMessage("success", text("mobileSaved"))}
    />
  );
}
