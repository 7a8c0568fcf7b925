/** The control of a form's field for a code by SMS, with the button that asks for one. */
import { Button, Input } from "@arco-design/web-react";
import { type ReactNode, useState } from "react";
import type { ControlProps } from "../../components/form/kinds.ts";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { REGISTER_TEXTS } from "../register/texts.ts";
import { type SentCode, useSendCode } from "../register/useSendCode.ts";

interface Asking {
  /** Asks for a code; null: not yet, because the number is missing or wrong. */
  readonly send: (() => Promise<SentCode>) | null;
  readonly onAsked: (requestKey: string | undefined) => void;
}

/** The `control` of a form's field. */
export const smsCodeControl =
  (asking: Asking) =>
  (control: ControlProps): ReactNode => <SmsCodeInput {...control} {...asking} />;

function SmsCodeInput(props: ControlProps & Asking) {
  const { id, label, value, onChange, invalid, disabled, describedBy } = props;
  const text = useTexts(REGISTER_TEXTS);
  const [failure, setFailure] = useState<string | null>(null);
  const code = useSendCode({
    refuse: (error) => setFailure(errorText(error)),
    onAsked: props.onAsked,
    onSent: () => document.querySelector<HTMLInputElement>(`[id="${id}"]`)?.focus(),
  });
  const ask = (): void => {
    setFailure(null);
    if (props.send === null) setFailure(text("mobileRule"));
    else void code.send(props.send);
  };
  return (
    <>
      <div className="sms-code-input">
        <Input
          id={id}
          aria-label={label}
          aria-required
          aria-invalid={invalid}
          {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
          {...(invalid ? { status: "error" as const } : {})}
          value={value}
          maxLength={6}
          autoComplete="one-time-code"
          disabled={disabled}
          onChange={onChange}
        />
        <Button disabled={code.left > 0} loading={code.sending} onClick={ask}>
          {code.left > 0 ? text("sendAgain", { seconds: code.left }) : text("sendCode")}
        </Button>
      </div>
      <p className="form-note" role="alert" data-wrong="true">
        {failure}
      </p>
    </>
  );
}
