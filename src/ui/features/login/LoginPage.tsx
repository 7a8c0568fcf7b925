/** Login (docs/session.md#login). Where to go afterwards is the route guard's business: it sees the session change. */
import { Button, Input } from "@arco-design/web-react";
import {
  IconExclamationCircleFill,
  IconEye,
  IconEyeInvisible,
  IconLock,
  IconMoonFill,
  IconSunFill,
  IconUser,
} from "@arco-design/web-react/icon";
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import {
  SYSTEM_HEADER_VALUE,
  SYSTEM_NAMES,
  systemNameSchema,
  type SystemName,
} from "../../../shared/protocol/config.ts";
import { preloadLayout } from "../../app/frame.ts";
import { Logo } from "../../components/Logo.tsx";
import { errorText } from "../../i18n/index.ts";
import { LanguageSwitch, ThemeSwitch } from "../../layout/Switches.tsx";
import { useCore } from "../../state/services.ts";
import { readLocal, writeLocal } from "../../state/storage.ts";
import { useTitle } from "../../state/title.ts";
import { Skyline } from "./Skyline.tsx";
import "../../layout/layout.css";
import "./login.css";

/** The system that was chosen last on this machine. */
const SYSTEM_KEY = "systemName";
const lastSystem = (): SystemName => {
  const kept = systemNameSchema.safeParse(readLocal(SYSTEM_KEY));
  return kept.success ? kept.data : SYSTEM_HEADER_VALUE;
};

export default function LoginPage() {
  const { t } = useTranslation();
  const core = useCore();
  useTitle(t("login.submit"));
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [systemName, setSystemName] = useState<SystemName>(lastSystem);
  const [shown, setShown] = useState(false);
  const [caps, setCaps] = useState(false);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<{ username?: string; password?: string; form?: string }>({});
  const form = useRef<HTMLFormElement>(null);

  const focus = (id: string): void => form.current?.querySelector<HTMLInputElement>(id)?.focus();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const name = username.trim();
    if (name === "" || password === "") {
      setWrong({
        ...(name === "" ? { username: t("login.usernameNeeded") } : {}),
        ...(password === "" ? { password: t("login.passwordNeeded") } : {}),
      });
      focus(name === "" ? "#login-username" : "#login-password");
      return;
    }
    setWrong({});
    setBusy(true);
    try {
      await core.commands.session.login({
        username: name,
        password,
        systemName,
      });
    } catch (error) {
      setWrong({ form: errorText(error) });
      setBusy(false);
      focus("#login-password");
      return;
    }
    setBusy(false);
  };

  const watchCaps = (event: KeyboardEvent): void => setCaps(event.getModifierState("CapsLock"));

  useEffect(preloadLayout, []);

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
        <Skyline />
      </section>
      <main className="login-side">
        <div className="login-tools">
          <LanguageSwitch />
          <ThemeSwitch sun={<IconSunFill />} moon={<IconMoonFill />} />
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
          <h1>{t("login.title")}</h1>
          <p className="login-subtitle">{t("login.subtitle")}</p>

          <label htmlFor="login-username">{t("login.username")}</label>
          <Input
            id="login-username"
            name="username"
            size="large"
            autoComplete="username"
            autoFocus
            prefix={<IconUser aria-hidden="true" />}
            value={username}
            maxLength={64}
            error={wrong.username !== undefined}
            aria-invalid={wrong.username !== undefined}
            aria-describedby="login-username-error"
            onChange={(value) => {
              setUsername(value);
              setWrong(({ username: _gone, ...rest }) => rest);
            }}
          />
          <p className="login-error" id="login-username-error" role="alert">
            {wrong.username}
          </p>

          <label htmlFor="login-password">{t("login.password")}</label>
          <Input
            id="login-password"
            name="password"
            size="large"
            type={shown ? "text" : "password"}
            autoComplete="current-password"
            prefix={<IconLock aria-hidden="true" />}
            suffix={
              <button
                type="button"
                className="login-eye"
                aria-label={t(shown ? "login.hide" : "login.show")}
                onClick={() => setShown(!shown)}
              >
                {shown ? <IconEye /> : <IconEyeInvisible />}
              </button>
            }
            value={password}
            maxLength={200}
            error={wrong.password !== undefined}
            aria-invalid={wrong.password !== undefined}
            aria-describedby="login-password-error"
            onKeyUp={watchCaps}
            onChange={(value) => {
              setPassword(value);
              setWrong(({ password: _gone, ...rest }) => rest);
            }}
          />
          <p className="login-error" id="login-password-error" role="alert">
            {wrong.password}
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
              const chosen = systemNameSchema.parse(event.target.value);
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

          <div id="login-error" role="alert">
            {wrong.form !== undefined && (
              <p className="login-refused">
                <IconExclamationCircleFill aria-hidden="true" />
                {wrong.form}
              </p>
            )}
          </div>
          <Button
            type="primary"
            size="large"
            long
            htmlType="submit"
            loading={busy}
            aria-busy={busy}
            className="login-submit"
          >
            {t("login.submit")}
          </Button>
        </form>
      </main>
    </div>
  );
}
