/** The bar at the top of every page: outages, an expired login, a newer deployment. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useExpiredAnswer } from "../state/expired.ts";
import {
  renew,
  useCore,
  useCoreState,
  useOutage,
  useRenewalHeld,
  useSlice,
} from "../state/services.ts";
import { PlainButton } from "./PlainButton.tsx";
import "./core-banner.css";

/** Shown while the expired-login dialog waits for the end of a call, and after the person chose to stay. */
function ExpiredBar() {
  const { t } = useTranslation();
  const { expired } = useSlice("session");
  const answer = useExpiredAnswer();
  if (expired === null) return null;
  if (!expired.dismissed) {
    return expired.tabId === null ? (
      <div className="core-banner core-banner-warn">{t("session.expiredInCall")}</div>
    ) : null;
  }
  return (
    <div className="core-banner core-banner-warn">
      {t("session.expiredStay")}
      <PlainButton size="mini" look="primary" onClick={() => void answer(true)}>
        {t("session.again")}
      </PlainButton>
    </div>
  );
}

/** ms before the bar reports an outage, because the core is usually back sooner. */
const QUIET = 700;

/** The value once it has lasted `ms`; null as soon as it is null. */
function useLasting<T>(value: T | null, ms: number): T | null {
  const [lasting, setLasting] = useState<T | null>(null);
  useEffect(() => {
    if (value === null) return undefined;
    const timer = setTimeout(() => setLasting(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  if (value === null && lasting !== null) setLasting(null);
  return value === null ? null : lasting;
}

/** Offers the reload that brings a newer deployment; not during a call, which it would interrupt. */
function NewerBuild() {
  const { t } = useTranslation();
  const { newerBuild } = useCoreState();
  const held = useRenewalHeld();
  if (newerBuild === null) return null;
  return (
    <div className="core-banner" data-newer-build={newerBuild}>
      {t(held ? "coreState.newerBuildInCall" : "coreState.newerBuild")}
      <PlainButton size="mini" look="primary" disabled={held} onClick={renew}>
        {t("coreState.renew")}
      </PlainButton>
    </div>
  );
}

export function CoreBanner() {
  const { t } = useTranslation();
  const core = useCore();
  const { newerBuild, state } = useCoreState();
  const now = useOutage();
  // No core of this build starts any more: the bar below says what helps.
  const outage = useLasting(now === "core" && newerBuild !== null ? null : now, QUIET);
  return (
    <div className="core-banners" aria-live="polite">
      {outage !== null && (
        <div className="core-banner core-banner-warn" data-outage={outage}>
          <span className="waiting-spinner" aria-hidden="true" />
          {t(outage === "core" ? "coreState.respawning" : `coreState.${outage}`)}
          {outage === "down" && state !== "ready" && (
            <PlainButton size="mini" onClick={core.retry}>
              {t("common.retry")}
            </PlainButton>
          )}
        </div>
      )}
      <ExpiredBar />
      <NewerBuild />
    </div>
  );
}
