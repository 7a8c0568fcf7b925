/** Login (docs/session.md#login). Where to go afterwards is the route guard's business: it sees the session change. */
import { lazy, useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { AppError } from "../../../shared/errors.ts";
import {
  SYSTEM_HEADER_VALUE,
  SYSTEM_NAMES,
  type SystemName,
} from "../../../shared/protocol/system-names.ts";
import { Logo } from "../../components/Logo.tsx";
import { PlainButton } from "../../components/PlainButton.tsx";
import { PlainIcon } from "../../components/PlainIcon.tsx";
import { errorText } from "../../i18n/index.ts";
import { LanguageSwitch, ThemeSwitch } from "../../components/Switches.tsx";
import { useCore, useSlice } from "../../state/services.ts";
import { retrying } from "../../state/retrying.ts";
import { readLocal, writeLocal } from "../../storage.ts";
import { useTitle } from "../../state/title.ts";
import { LoginField } from "./LoginField.tsx";
import { Part } from "../../components/Part.tsx";
import "./login.css";

const EndedLogin = lazy(() => retrying(() => import("./EndedLogin.tsx")));
const Skyline = lazy(() => retrying(() => import("./Skyline.tsx")));

/** Query of the login page that shows the reset of a forgotten password instead. */
export const RESET = "reset";

/** The system that was chosen last on this machine. */
const SYSTEM_KEY = "systemName";
const systemOf = (value: unknown): SystemName =>
  SYSTEM_NAMES.find((name) => name === value) ?? SYSTEM_HEADER_VALUE;

/** What is wrong, in words that follow the language. */
interface Wrong {
  readonly username?: () => string;
  readonly password?: () => string;
  readonly form?: () => string;
}

/** @param preload loads what the login leads to, early */
export default function LoginPage({ preload }: { readonly preload: () => void }) {
  const { t } = useTranslation();
  const core = useCore();
  useTitle(t("login.submit"));
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [systemName, setSystemName] = useState(() => systemOf(readLocal(SYSTEM_KEY)));
  const [shown, setShown] = useState(false);
  const [caps, setCaps] = useState(false);
  const [busy, setBusy] = useState(false);
  /** The code of the second step; null until the platform asks for one. */
  const [code, setCode] = useState<string | null>(null);
  const [wrong, setWrong] = useState<Wrong>({});
  const form = useRef<HTMLFormElement>(null);

  const { left } = useSlice("session");
  const ended = left === "logout" || left === "expired" ? null : left;

  const focus = (id: string): void => form.current?.querySelector<HTMLInputElement>(id)?.focus();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const name = username.trim();
    if (name === "" || password === "") {
      setWrong({
        ...(name === "" ? { username: () => t("login.usernameNeeded") } : {}),
        ...(password === "" ? { password: () => t("login.passwordNeeded") } : {}),
      });
      focus(name === "" ? "#login-username" : "#login-password");
      return;
    }
    if (code?.trim() === "") {
      setWrong({ form: () => t("login.codeNeeded") });
      focus("#login-code");
      return;
    }
    setWrong({});
    setBusy(true);
    try {
      await core.commands.session.login({
        username: name,
        password,
        ...(code === null ? {} : { code }),
        systemName,
      });
    } catch (error) {
      setBusy(false);
      if (AppError.from(error).code === "auth.code-required" && code === null) {
        setCode("");
        return;
      }
      setWrong({ form: () => errorText(error) });
      focus(code === null ? "#login-password" : "#login-code");
      return;
    }
    setBusy(false);
  };

  const watchCaps = (event: KeyboardEvent): void => setCaps(event.getModifierState("CapsLock"));

  useEffect(preload, [preload]);

  return (
    <div className="login">
      <section className="login-brand" aria-hidden="true">
        <div className="login-brand-top">
          <Logo size={36} />
          <span>{t("platform")}</span>
        </div>
        <div className="login-lead">
          <strong>{t("login.lead")}</strong>
          <ul>
            <li>{t("login.point1")}</li>
            <li>{t("login.point2")}</li>
            <li>{t("login.point3")}</li>
          </ul>
        </div>
        <Part>
          <Skyline />
        </Part>
      </section>
      <main className="login-side">
        <div className="login-tools">
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
        <form
          ref={form}
          className="login-form"
          noValidate
          onSubmit={(event) => void submit(event)}
          aria-describedby="login-error"
        >
          <div className="login-mobile-brand">
            <Logo size={44} />
            <span>{t("platform")}</span>
          </div>
          <h1>{t(code === null ? "login.title" : "login.codeTitle")}</h1>
          <p className="login-subtitle">
            {t(code === null ? "login.subtitle" : "login.codeSubtitle")}
          </p>

          {ended !== null && (
            <Part>
              <EndedLogin why={ended} />
            </Part>
          )}
          {code !== null && (
            <>
              <LoginField
                id="login-code"
                name="code"
                label={t("login.code")}
                icon="lock"
                autoComplete="one-time-code"
                autoFocus
                maxLength={32}
                value={code}
                invalid={wrong.form !== undefined}
                describedBy="login-error"
                onChange={setCode}
              />
              <p className="login-error" />
            </>
          )}
          <div hidden={code !== null}>
            <LoginField
              id="login-username"
              name="username"
              label={t("login.username")}
              icon="user"
              autoComplete="username"
              autoFocus
              maxLength={64}
              value={username}
              invalid={wrong.username !== undefined}
              describedBy="login-username-error"
              onChange={(value) => {
                setUsername(value);
                setWrong(({ username: _gone, ...rest }) => rest);
              }}
            />
            <p className="login-error" id="login-username-error" role="alert">
              {wrong.username?.()}
            </p>

            <LoginField
              id="login-password"
              name="password"
              label={t("login.password")}
              icon="lock"
              type={shown ? "text" : "password"}
              autoComplete="current-password"
              maxLength={200}
              value={password}
              invalid={wrong.password !== undefined}
              describedBy="login-password-error"
              suffix={
                <button
                  type="button"
                  className="login-eye"
                  aria-label={t(shown ? "login.hide" : "login.show")}
                  onClick={() => setShown(!shown)}
                >
                  <PlainIcon name={shown ? "eye" : "eye-invisible"} />
                </button>
              }
              onKeyUp={watchCaps}
              onChange={(value) => {
                setPassword(value);
                setWrong(({ password: _gone, ...rest }) => rest);
              }}
            />
            <p className="login-error" id="login-password-error" role="alert">
              {wrong.password?.()}
            </p>
            {caps && <p className="login-caps">{t("login.caps")}</p>}

            <label htmlFor="login-system">{t("login.system")}</label>
            {/* the browser's own list, because the first visit waits for this form's code */}
            <select
              id="login-system"
              name="systemName"
              className="login-system"
              value={systemName}
              onChange={(event) => {
                const chosen = systemOf(event.target.value);
                setSystemName(chosen);
                writeLocal(SYSTEM_KEY, chosen);
              }}
            >
              {SYSTEM_NAMES.map((name) => (
                <option key={name} value={name}>
                  {t(`systems.${name}`)}
                </option>
              ))}
            </select>
          </div>
          <div id="login-error" role="alert">
            {wrong.form !== undefined && (
              <p className="login-refused">
                <PlainIcon name="refused" />
                {wrong.form()}
              </p>
            )}
          </div>
          <PlainButton
            look="primary"
            size="large"
            submit
            loading={busy}
            aria-busy={busy}
            className="arco-btn-long login-submit"
          >
            {t("login.submit")}
          </PlainButton>
          {code === null ? (
            <p className="login-links">
              <Link to="/register" className="login-register">
                {t("login.register")}
              </Link>
              <Link to={`/login?${RESET}`} className="login-register">
                {t("login.forgot")}
              </Link>
              <Link to="/nextPage?states" className="login-register">
                {t("login.states")}
              </Link>
            </p>
          ) : (
            <button
              type="button"
              className="login-register login-back"
              onClick={() => {
                setCode(null);
                setWrong({});
              }}
            >
              {t("login.codeBack")}
            </button>
          )}
        </form>
      </main>
    </div>
  );
}
