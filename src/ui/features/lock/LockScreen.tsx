/** What a locked tab shows: whose console it is, the time, and a field for the password. Calls have their own windows above it. */
import { Button, Input } from "@arco-design/web-react";
import { IconLock } from "@arco-design/web-react/icon";
import { useCallback, useEffect, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { CoreBanner } from "../../components/CoreBanner.tsx";
import { Avatar } from "../../components/Avatar.tsx";
import { errorText } from "../../i18n/index.ts";
import { texts, useTexts } from "../../i18n/texts.ts";
import { displayName } from "../../state/person.ts";
import { useCore, useNow, useSlice } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { useTitle } from "../../state/title.ts";
import { useCallWindow } from "../call-parts/call-window.tsx";
import { ConferenceLayer } from "../conference/ConferenceLayer.tsx";
import { useRingTitle } from "../call/useRingTitle.ts";
import { useGroupCallWindow } from "../group-call/window.ts";
import "./lock.css";

const TEXTS = texts({
  title: ["已锁定", "Locked"],
  hint: ["控制台已锁定，通话不受影响", "The console is locked; calls continue"],
  password: ["登录密码", "Password"],
  needed: ["请输入登录密码", "Enter the password"],
  unlock: ["解锁", "Unlock"],
  logout: ["退出登录", "Log out"],
});

export default function LockScreen() {
  const text = useTexts(TEXTS);
  const call = useCallWindow();
  const groupCall = useGroupCallWindow();
  const session = useSlice("session");
  const name = displayName(session);
  useTitle(text("title"), 0, useRingTitle());
  const modal = call.modal || groupCall.modal;
  return (
    <div className="lock" inert={modal}>
      <CoreBanner />
      <main className="lock-main" aria-label={text("title")}>
        <Clock />
        <div className="lock-card">
          <Avatar name={name} src={session.avatar} size={64} />
          <h1 className="ellipsis">{name}</h1>
          <p>{text("hint")}</p>
          <PasswordForm focus={!modal} />
        </div>
      </main>
      <ConferenceLayer locked />
    </div>
  );
}

function Clock() {
  const { i18n } = useTranslation();
  const now = new Date(useNow(1000));
  const language = i18n.language === "en" ? "en" : "zh-CN";
  return (
    <time className="lock-clock" dateTime={now.toISOString().slice(0, 16)}>
      <strong>
        {now.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hour12: false })}
      </strong>
      <span>
        {now.toLocaleDateString(language, { month: "long", day: "numeric", weekday: "long" })}
      </span>
    </time>
  );
}

function PasswordForm({ focus }: { readonly focus: boolean }) {
  const text = useTexts(TEXTS);
  const core = useCore();
  const form = useRef<HTMLFormElement>(null);
  const focusField = useCallback(() => form.current?.querySelector("input")?.focus(), []);
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState<"unlock" | "logout" | null>(null);

  // also after a call has covered the field
  useEffect(() => {
    if (focus) focusField();
  }, [focus, focusField]);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy !== null) return;
    if (password === "") {
      setWrong(text("needed"));
      focusField();
      return;
    }
    setBusy("unlock");
    setWrong(null);
    try {
      await core.commands.session.unlock({ password });
    } catch (error) {
      setWrong(errorText(error));
      setPassword("");
      focusField();
    } finally {
      setBusy(null);
    }
  };
  const logout = async (): Promise<void> => {
    setBusy("logout");
    try {
      await core.commands.session.logout({});
    } catch (error) {
      showError(error);
    } finally {
      setBusy(null);
    }
  };
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)}>
      <Input
        id="lock-password"
        type="password"
        size="large"
        autoComplete="current-password"
        aria-label={text("password")}
        placeholder={text("password")}
        prefix={<IconLock aria-hidden="true" />}
        value={password}
        maxLength={200}
        error={wrong !== null}
        aria-invalid={wrong !== null}
        aria-describedby="lock-error"
        onChange={(value) => {
          setPassword(value);
          setWrong(null);
        }}
      />
      <p className="lock-error" id="lock-error" role="alert">
        {wrong}
      </p>
      <Button type="primary" size="large" long htmlType="submit" loading={busy === "unlock"}>
        {text("unlock")}
      </Button>
      <Button type="text" long loading={busy === "logout"} onClick={() => void logout()}>
        {text("logout")}
      </Button>
    </form>
  );
}
