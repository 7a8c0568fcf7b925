/** A new mobile, proved by codes to it and to the one so far, and by the person's password (docs/session.md#mobile-number). */
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

export default function MobileDialog(props: {
  /** The mobile so far, with its middle hidden; empty: the person has proved none yet. */
  readonly before: string;
  readonly onClose: () => void;
}) {
  const text = useTexts(PROFILE_TEXTS);
  const { rest } = useCore().commands;
  const [requestKey, setRequestKey] = useState<string | undefined>();
  const [oldRequestKey, setOldRequestKey] = useState<string | undefined>();
  const first = props.before === "";
  /** As it is typed, for the button of the code. */
  const [typed, setTyped] = useState("");
  const mobile = mobileSchema.safeParse(typed.trim());
  return (
    <FormDialog
      title={text(first ? "mobileFirst" : "mobileChange")}
      intro={<p>{text(first ? "mobileFirstHint" : "mobileHint")}</p>}
      fields={[
        {
          key: "oldCode",
          label: text("oldCode", { mobile: props.before }),
          required: true,
          hint: text("oldLost"),
          shownWhen: () => !first,
          check: (value) => (smsCodeSchema.safeParse(value).success ? null : text("codeRule")),
          control: smsCodeControl({
            send: () => rest.call({ call: "profile.sendCode" }),
            onAsked: setOldRequestKey,
          }),
        },
        {
          key: "mobile",
          label: text("mobileNew"),
          required: true,
          check: (value) => (mobileSchema.safeParse(value).success ? null : text("mobileRule")),
          control: mobileControl(setTyped),
        },
        {
          key: "smsCode",
          label: text(first ? "smsCode" : "newCode"),
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
      values={{ oldCode: "", mobile: "", smsCode: "", password: "" }}
      save={({ oldCode = "", mobile: wanted = "", smsCode = "", password = "" }) =>
        rest.call({
          call: "profile.mobile",
          body: {
            mobile: wanted,
            smsCode,
            password,
            ...(requestKey === undefined ? {} : { requestKey }),
            ...(first ? {} : { oldCode }),
            ...(oldRequestKey === undefined ? {} : { oldRequestKey }),
          },
        })
      }
      onClose={props.onClose}
      onSaved={() => showMessage("success", text("mobileSaved"))}
    />
  );
}
