/** Runs the route guard for every navigation: its decisions are the pure function's, only the effects are here. */
import { Button } from "@arco-design/web-react";
import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation } from "react-router-dom";
import { guard } from "../../shared/domain/guard.ts";
import { PlainPage } from "../features/fallback/PlainPage.tsx";
import { tellError } from "../state/tell.ts";
import { useCore, useSlice } from "../state/services.ts";
import { FrameSkeleton } from "./LinkState.tsx";

export function Guard({ children }: { readonly children: ReactNode }) {
  const core = useCore();
  const { t } = useTranslation();
  const { status, infoLoaded, isGuest, accountId } = useSlice("session");
  const location = useLocation();
  const [failedFor, setFailedFor] = useState<string | null>(null);
  const who = `${status}:${accountId ?? ""}`;
  const decision = guard({ status, infoLoaded, isGuest, infoFailed: failedFor === who }, location);

  const loading = decision.type === "load-info";
  useEffect(() => {
    if (!loading) return;
    let left = false;
    core.commands.session.loadInfo({}).catch((error: unknown) => {
      if (left) return;
      tellError(error);
      setFailedFor(who);
    });
    return () => {
      left = true;
    };
  }, [core, loading, who]);

  // a core started anew soon knows the person again: pages with all that was written in them wait for it
  const allowed = decision.type === "allow";
  const [shown, setShown] = useState(allowed);
  if (allowed !== shown && status !== "restoring") setShown(allowed);
  if (decision.type === "wait" && shown) return children;
  if (decision.type === "wait" || decision.type === "load-info") {
    return <FrameSkeleton label={t("common.loading")} />;
  }
  if (decision.type === "redirect") return <Navigate replace to={decision.to} />;
  return children;
}

/** Where a dynamic route may have been meant, but the menus could not be loaded. */
export function RetryInfo() {
  const core = useCore();
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const retry = async (): Promise<void> => {
    setBusy(true);
    try {
      await core.commands.session.loadInfo({});
    } catch (error) {
      tellError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <PlainPage icon="broken" title={t("session.infoFailed")} hint="">
      <Button type="primary" loading={busy} onClick={() => void retry()}>
        {t("common.retry")}
      </Button>
    </PlainPage>
  );
}
