/** A form outside of the console: a step of the registration of a company, and a new password for one that was forgotten. */
import { Button, Input } from "@arco-design/web-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { useLeaveWarning } from "../../components/useLeaveWarning.ts";
import { CREDIT_CODE_TEXTS } from "../../../shared/domain/credit-code.ts";
import { AppError } from "../../../shared/errors.ts";
import { Logo } from "../../components/Logo.tsx";
import { errorText } from "../../i18n/index.ts";
import { textOf, useTexts } from "../../i18n/texts.ts";
import { LanguageSwitch, ThemeSwitch } from "../../components/Switches.tsx";
import { useCore } from "../../state/services.ts";
import { useTitle } from "../../state/title.ts";
import {
  checkRegistration,
  type RegisterField,
  type RegisterKey,
  type RegisterValues,
  SECRETS,
  type Wrong,
} from "./fields.ts";
import { refusedKey } from "./refused.ts";
import { REGISTER_TEXTS } from "./texts.ts";
import { useOnce } from "../../components/form/useOnce.ts";
import { useSendCode } from "./useSendCode.ts";
import "./register.css";

/** In words that follow the language. */
export type Errors = Partial<Record<RegisterKey, () => string>>;

export interface CodeFormProps {
  readonly title: string;
  readonly subtitle: string;
  readonly fields: readonly RegisterField[];
  readonly submitText: string;
  readonly values: RegisterValues;
  readonly onChange: (values: RegisterValues) => void;
  /** What belongs to a code that was sent, for the call that sends the code back. */
  readonly onAsked?: (requestKey: string | undefined) => void;
  /** Takes values that are right. What it rejects with is shown at the field that it names. */
  readonly save: (values: RegisterValues) => unknown;
  /** Text of the link to the login. */
  readonly loginText: string;
  /** Errors to begin with, of which the first takes the focus. */
  readonly refused?: Errors;
  /** Focus the first field: the form is there because of what the person did. */
  readonly focus?: boolean;
  /** What was entered is there again after a reload, but passwords. */
  readonly kept?: boolean;
  /** Above the fields. */
  readonly above?: ReactNode;
  /** Below the fields. */
  readonly children?: ReactNode;
  /** Beside the link to the login. */
  readonly link?: ReactNode;
  /** Beside the button that submits. */
  readonly back?: ReactNode;
}

export function CodeForm(props: CodeFormProps) {
  const { title, fields, values, focus = false } = props;
  const { t } = useTranslation();
  const text = useTexts(REGISTER_TEXTS);
  const { rest } = useCore().commands;
  useTitle(title);
  const [errors, setErrors] = useState<Errors>(props.refused ?? {});
  const [failure, setFailure] = useState<AppError | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const dirty = fields.some(({ key }) => values[key] !== "");
  const secret = SECRETS.some((key) => values[key] !== "");

  useLeaveWarning(dirty, props.kept === true && !secret);
  const focusOn = (key: RegisterKey): void =>
    form.current?.querySelector<HTMLInputElement>(`#register-${key}`)?.focus();
  const firstOf = (wrong: Errors): RegisterKey | undefined =>
    fields.find(({ key }) => wrong[key] !== undefined)?.key;
  /** What has the focus when the form comes into sight. */
  const [begin] = useState(() => {
    const others = Object.keys(errors).length > 0;
    return firstOf(errors) ?? (focus && !others ? fields[0]?.key : undefined);
  });
  useEffect(() => {
    if (begin === undefined) return;
    form.current?.querySelector<HTMLInputElement>(`#register-${begin}`)?.focus();
  }, [begin]);

  const wrongText = (field: RegisterField, reason: Wrong): string => {
    if (reason === "missing") return text("missing", { label: text(field.label) });
    if (reason === "differs") return text("differs");
    if (reason !== "rule") return textOf(CREDIT_CODE_TEXTS, reason);
    return text("rule" in field ? field.rule : "wrongField");
  };
  const show = (wrong: Errors): void => {
    setErrors(wrong);
    const key = firstOf(wrong);
    if (key !== undefined) focusOn(key);
  };
  const refuse = (error: unknown): void => {
    const known = AppError.from(error);
    const field = refusedKey(known, fields);
    if (field === undefined) setFailure(known);
    else show({ [field]: () => errorText(known) });
  };
  const code = useSendCode({
    refuse,
    onAsked: props.onAsked,
    onSent: () => focusOn("smsCode"),
  });
  const sendCode = async (): Promise<void> => {
    const { mobile } = checkRegistration(values, fields);
    const field = fields.find(({ key }) => key === "mobile");
    if (mobile !== undefined && field !== undefined) {
      show({ mobile: () => wrongText(field, mobile) });
      return;
    }
    setFailure(null);
    const body = { mobile: values.mobile.trim() };
    await code.send(() => rest.call({ call: "sms.send", body }));
  };
  const submit = useOnce(async (): Promise<void> => {
    if (busy) return;
    setFailure(null);
    const wrong: Errors = {};
    for (const field of fields) {
      const reason = checkRegistration(values, fields)[field.key];
      if (reason !== undefined) wrong[field.key] = () => wrongText(field, reason);
    }
    show(wrong);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    try {
      await props.save(values);
    } catch (error) {
      refuse(error);
      setBusy(false);
    }
  });
  const set = (key: RegisterKey, value: string): void => {
    props.onChange({ ...values, [key]: value });
    setErrors(({ [key]: _gone, ...others }) => others);
  };

  return (
    <main className="register">
      <div className="register-tools">
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
      <form
        ref={form}
        className="panel register-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <header>
          <Logo size={40} />
          <div>
            <h1>{title}</h1>
            <p>{props.subtitle}</p>
          </div>
        </header>
        {props.above}
        <div className="register-fields">
          {fields.map((field) => (
            <Field
              key={field.key}
              field={field}
              value={values[field.key]}
              error={errors[field.key]?.()}
              onChange={(value) => set(field.key, value)}
            >
              {field.key === "smsCode" && (
                <Button
                  disabled={code.left > 0}
                  loading={code.sending}
                  onClick={() => void sendCode()}
                >
                  {code.left > 0 ? text("sendAgain", { seconds: code.left }) : text("sendCode")}
                </Button>
              )}
            </Field>
          ))}
        </div>
        {props.children}
        <p className="register-failure" role="alert">
          {failure !== null && errorText(failure)}
        </p>
        <div className="register-buttons">
          {props.back}
          <Button type="primary" size="large" long htmlType="submit" loading={busy}>
            {props.submitText}
          </Button>
        </div>
        <div className="register-login">
          <Link to="/login" aria-label={props.loginText}>
            {props.loginText} <span aria-hidden="true">›</span>
          </Link>
          {props.link}
        </div>
        <span className="register-platform">{t("platform")}</span>
      </form>
    </main>
  );
}

function Field(props: {
  readonly field: RegisterField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly children?: ReactNode;
}) {
  const { field, value, error } = props;
  const text = useTexts(REGISTER_TEXTS);
  const id = `register-${field.key}`;
  const hint = "rule" in field && field.key !== "mobile" ? text(field.rule) : undefined;
  const required = !("optional" in field);
  return (
    <div className="register-field">
      <label htmlFor={id} data-required={required}>
        {text(field.label)}
      </label>
      <div className="register-input">
        <Input
          id={id}
          name={field.key}
          value={value}
          type={"secret" in field ? "password" : "text"}
          maxLength={field.max}
          // phones show digits
          {...("digits" in field ? { inputMode: "numeric" as const } : {})}
          autoComplete={field.autoComplete}
          {...(error === undefined ? {} : { status: "error" as const })}
          aria-required={required}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-note`}
          onChange={props.onChange}
        />
        {props.children}
      </div>
      <p id={`${id}-note`} className="register-note" data-wrong={error !== undefined}>
        {error ?? hint}
      </p>
    </div>
  );
}
