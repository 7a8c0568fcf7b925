/** A form that a code by SMS proves: the registration of a company, and a new password for one that was forgotten. */
import { Button, Input } from "@arco-design/web-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { useLeaveWarning } from "../../components/useLeaveWarning.ts";
import { AppError } from "../../../shared/errors.ts";
import { mobileSchema } from "../../../shared/protocol/rest/registration.ts";
import { Logo } from "../../components/Logo.tsx";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { LanguageSwitch, ThemeSwitch } from "../../components/Switches.tsx";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { useTitle } from "../../state/title.ts";
import {
  checkRegistration,
  EMPTY,
  type RegisterField,
  type RegisterKey,
  type RegisterValues,
} from "./fields.ts";
import { REGISTER_TEXTS } from "./texts.ts";
import { useOnce } from "../../components/form/useOnce.ts";
import "./register.css";

/** What goes with the last code that the page asked for. */
interface Asked {
  readonly requestKey?: string;
}
type Errors = Partial<Record<RegisterKey, string>>;

/** Seconds until the next code may be asked for; counts down to 0. */
function useCountdown(): readonly [number, (seconds: number) => void] {
  const [until, setUntil] = useState(0);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const tick = (): void => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    if (until <= Date.now()) return undefined;
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [until]);
  return [left, (seconds) => setUntil(Date.now() + seconds * 1000)];
}

/** The field that a refusal of the server names. */
function refusedField(error: AppError, fields: readonly RegisterField[]): RegisterKey | undefined {
  const refused = error.details?.["fields"];
  const named = typeof refused === "object" && refused !== null ? Object.keys(refused) : [];
  return fields.find(({ key }) => named.includes(key))?.key;
}

export function CodeForm(props: {
  readonly title: string;
  readonly subtitle: string;
  readonly fields: readonly RegisterField[];
  readonly submitText: string;
  /** Takes values that are right. What it rejects with is shown at the field that it names. */
  readonly save: (values: RegisterValues, asked: Asked) => Promise<unknown>;
  /** Text of the link to the login. */
  readonly loginText: string;
}) {
  const { title, fields } = props;
  const { t } = useTranslation();
  const text = useTexts(REGISTER_TEXTS);
  const { rest } = useCore().commands;
  useTitle(title);
  const [values, setValues] = useState(EMPTY);
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [sending, setSending] = useState(false);
  const [left, wait] = useCountdown();
  const form = useRef<HTMLFormElement>(null);
  const asked = useRef<Asked>({});
  const dirty = Object.values(values).some((value) => value !== "");

  useLeaveWarning(dirty);

  const show = (wrong: Errors): void => {
    setErrors(wrong);
    const first = fields.find(({ key }) => wrong[key] !== undefined);
    if (first !== undefined) {
      form.current?.querySelector<HTMLInputElement>(`#register-${first.key}`)?.focus();
    }
  };
  const refuse = (error: unknown): void => {
    const known = AppError.from(error);
    const field = refusedField(known, fields);
    if (field === undefined) setFailure(errorText(known));
    else show({ [field]: errorText(known) });
  };
  const sendCode = async (): Promise<void> => {
    const mobile = values.mobile.trim();
    if (!mobileSchema.safeParse(mobile).success) {
      show({ mobile: text("mobileRule") });
      return;
    }
    setFailure(null);
    setSending(true);
    try {
      const { retryAfter, requestKey } = await rest.call({ call: "sms.send", body: { mobile } });
      asked.current = requestKey === undefined ? {} : { requestKey };
      wait(retryAfter);
      showMessage("success", text("codeSent"));
      form.current?.querySelector<HTMLInputElement>("#register-smsCode")?.focus();
    } catch (error) {
      const after = AppError.from(error).details?.["retryAfter"];
      if (typeof after === "number") wait(after);
      refuse(error);
    } finally {
      setSending(false);
    }
  };
  const submit = useOnce(async (): Promise<void> => {
    if (busy) return;
    setFailure(null);
    const wrong: Errors = {};
    for (const [key, reason] of Object.entries(checkRegistration(values, fields))) {
      const field = fields.find((one) => one.key === key);
      if (field === undefined) continue;
      wrong[field.key] =
        reason === "missing"
          ? text("missing", { label: text(field.label) })
          : reason === "differs"
            ? text("differs")
            : text("rule" in field ? field.rule : "wrongField");
    }
    show(wrong);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    try {
      await props.save(values, asked.current);
    } catch (error) {
      refuse(error);
      setBusy(false);
    }
  });
  const set = (key: RegisterKey, value: string): void => {
    setValues((now) => ({ ...now, [key]: value }));
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
        <div className="register-fields">
          {fields.map((field) => (
            <Field
              key={field.key}
              field={field}
              value={values[field.key]}
              error={errors[field.key]}
              onChange={(value) => set(field.key, value)}
            >
              {field.key === "smsCode" && (
                <Button disabled={left > 0} loading={sending} onClick={() => void sendCode()}>
                  {left > 0 ? text("sendAgain", { seconds: left }) : text("sendCode")}
                </Button>
              )}
            </Field>
          ))}
        </div>
        <p className="register-failure" role="alert">
          {failure}
        </p>
        <Button type="primary" size="large" long htmlType="submit" loading={busy}>
          {props.submitText}
        </Button>
        <Link to="/login" className="register-login" aria-label={props.loginText}>
          {props.loginText} <span aria-hidden="true">›</span>
        </Link>
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
