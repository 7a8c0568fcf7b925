/**
 * /auth-redirect (docs/session.md#auth-redirect): tokens that another system of the platform brings. Their person is shown and has to agree:
 * a link from elsewhere must not log anybody in unseen.
 */
import { Button } from "@arco-design/web-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { AUTH_REDIRECT_PATH, HOME_PATH, redirectOf } from "../../../shared/domain/guard.ts";
import { readAuthRedirect } from "./auth-redirect.ts";
import type { CommandOutput } from "../../../shared/protocol/core-rpc.ts";
import { AppError } from "../../../shared/errors.ts";
import { errorText } from "../../i18n/index.ts";
import { useCore, useSlice } from "../../state/services.ts";
import { useTitle } from "../../state/title.ts";
import { PlainPage } from "../fallback/PlainPage.tsx";

type Person = CommandOutput<"session", "whose">;

export function AuthRedirectPage() {
  const { t } = useTranslation();
  const core = useCore();
  const navigate = useNavigate();
  const { search, hash } = useLocation();
  const { status, accountId, infoLoaded } = useSlice("session");
  const [brought] = useState(() => readAuthRedirect(search, hash, Date.now()));
  const [wanted] = useState(() => redirectOf(search) ?? HOME_PATH);
  const [person, setPerson] = useState<Person | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  const [busy, setBusy] = useState(false);
  useTitle(t("pages.authRedirect"));

  // remove the token from the address and the history
  useEffect(() => {
    if (brought !== null) void navigate(AUTH_REDIRECT_PATH, { replace: true });
  }, [brought, navigate]);
  useEffect(() => {
    if (brought === null) return;
    let left = false;
    const { grant, systemName } = brought;
    core.commands.session.whose({ accessToken: grant.access_token, systemName }).then(
      (found) => {
        if (!left) setPerson(found);
      },
      (error: unknown) => {
        if (!left) setFailure(AppError.from(error));
      },
    );
    return () => {
      left = true;
    };
  }, [brought, core]);

  const goOn = async (): Promise<void> => {
    if (brought === null) return;
    setBusy(true);
    try {
      const { grant, systemName, redirect } = brought;
      await core.commands.session.adopt({ grant, systemName });
      void navigate(redirect ?? HOME_PATH, { replace: true });
    } catch (error) {
      setFailure(AppError.from(error));
      setBusy(false);
    }
  };

  const here = status === "authenticated";
  if (brought === null && here) return <Navigate replace to={wanted} />;
  // the token's person is the one who is logged in already
  if (brought !== null && person !== null && here && infoLoaded && !busy) {
    if (person.accountId === accountId) {
      return <Navigate replace to={brought.redirect ?? HOME_PATH} />;
    }
  }
  const title = t("pages.authRedirect");
  if (brought === null || failure !== null) {
    const hint = failure === null ? t("pages.authRedirectHint") : errorText(failure);
    return (
      <PlainPage icon="lock" title={title} hint={hint}>
        <Button type="primary" onClick={() => void navigate(HOME_PATH)}>
          {t(here ? "pages.toHome" : "pages.toLogin")}
        </Button>
      </PlainPage>
    );
  }
  if (person === null) return <PlainPage icon="lock" title={title} hint={t("common.loading")} />;
  const { username, nickname } = person;
  const name = nickname === "" ? username : `${nickname}（${username}）`;
  return (
    <PlainPage
      icon="lock"
      title={title}
      hint={t(here ? "pages.authRedirectReplace" : "pages.authRedirectAsk", { name })}
    >
      <Button type="primary" loading={busy} onClick={() => void goOn()}>
        {t("pages.authRedirectGo")}
      </Button>
      <Button onClick={() => void navigate(HOME_PATH, { replace: true })}>
        {t("common.cancel")}
      </Button>
    </PlainPage>
  );
}
