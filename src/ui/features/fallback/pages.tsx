/** Error pages and simple static pages. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { PlainButton } from "../../components/PlainButton.tsx";
import { renew, useCoreState, useRenewalHeld, useSlice } from "../../state/services.ts";
import { useTitle } from "../../state/title.ts";
import { PlainPage } from "./PlainPage.tsx";

function ToHome() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { status } = useSlice("session");
  return (
    <PlainButton look="primary" onClick={() => void navigate("/")}>
      {t(status === "authenticated" ? "pages.toHome" : "pages.toLogin")}
    </PlainButton>
  );
}

export function NotFoundPage() {
  const { t } = useTranslation();
  useTitle("404");
  return (
    <PlainPage icon="lost" title={t("pages.notFound")} hint={t("pages.notFoundHint")}>
      <ToHome />
    </PlainPage>
  );
}

export function ForbiddenPage() {
  const { t } = useTranslation();
  useTitle("401");
  return (
    <PlainPage icon="lock" title={t("pages.forbidden")} hint={t("pages.forbiddenHint")}>
      <ToHome />
    </PlainPage>
  );
}

/** Page of a menu entry whose view this build does not have. */
export function BuildingPage({ title }: { readonly title: string }) {
  const { t } = useTranslation();
  return (
    <PlainPage
      inner
      icon="building"
      title={t("pages.building")}
      hint={t("pages.buildingHint", { title })}
    />
  );
}

/** Works without the router and the services too, because it is shown when they fail. */
export function CrashedPage({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTranslation();
  useEffect(() => {
    addEventListener("popstate", onRetry);
    return () => removeEventListener("popstate", onRetry);
  }, [onRetry]);
  return (
    <PlainPage inner icon="broken" title={t("pages.crashed")} hint={t("pages.crashedHint")}>
      <PlainButton look="primary" onClick={onRetry}>
        {t("common.retry")}
      </PlainButton>
    </PlainPage>
  );
}

/** In place of what waits for a server that cannot be reached; it goes on by itself. */
export function Unreachable(props: {
  readonly onRetry: () => void;
  /** Why. */
  readonly outage?: "down" | "offline" | "intercepted";
}) {
  const { t } = useTranslation();
  const { outage = "down", onRetry } = props;
  return (
    <PlainPage icon="broken" title={t("coreState.unreachable")} hint={t(`coreState.${outage}`)}>
      <PlainButton look="primary" onClick={onRetry}>
        {t("common.retry")}
      </PlainButton>
    </PlainPage>
  );
}

/** In place of what another build has replaced. */
export function Replaced({ inner = false }: { readonly inner?: boolean }) {
  const { t } = useTranslation();
  const held = useRenewalHeld();
  return (
    <PlainPage
      inner={inner}
      icon="building"
      title={t("coreState.newerBuild")}
      hint={t(held ? "coreState.newerBuildInCall" : "coreState.newerBuildHint")}
    >
      <PlainButton look="primary" disabled={held} onClick={renew}>
        {t("coreState.renew")}
      </PlainButton>
    </PlainPage>
  );
}

/** In place of a page whose code a newer deployment has removed. */
export function StalePage({ onRetry }: { readonly onRetry: () => void }) {
  const { newerBuild } = useCoreState();
  return newerBuild === null ? <CrashedPage onRetry={onRetry} /> : <Replaced inner />;
}
