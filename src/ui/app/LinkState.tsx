/** What a person sees of the link to the core: skeleton, thin banner, or a plain page. */
import { Button } from "@arco-design/web-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { OPEN_PATHS } from "../../shared/domain/guard.ts";
import { useLink, useSlice } from "../state/services.ts";
import { PlainPage } from "../features/fallback/PlainPage.tsx";
import "./link.css";

/** The oldest versions with SharedWorker, module workers in it, and Web Locks. */
const BROWSERS = ["Google Chrome 120+", "Microsoft Edge 120+", "Mozilla Firefox 121+"];

/** The frame's outline, while nothing is known yet. */
export function FrameSkeleton({ label }: { readonly label: string }) {
  // the login page has no frame: its outline would only flash
  if ((OPEN_PATHS as readonly string[]).includes(location.pathname)) {
    return <div className="frame-blank" role="status" aria-label={label} />;
  }
  return (
    <div className="frame-skeleton" role="status" aria-label={label}>
      <div className="frame-skeleton-side" />
      <div className="frame-skeleton-main">
        <div className="frame-skeleton-top" />
        <div className="frame-skeleton-body">
          <span />
          <span />
          <span />
        </div>
      </div>
    </div>
  );
}

export function LinkGate({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const { state } = useLink();
  if (state === "connecting") return <FrameSkeleton label={t("link.connecting")} />;
  if (state === "unsupported") {
    return (
      <PlainPage icon="browser" title={t("link.unsupportedTitle")} hint={t("link.unsupportedHint")}>
        <ul className="browsers">
          {BROWSERS.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      </PlainPage>
    );
  }
  if (state === "failed") {
    return (
      <PlainPage icon="broken" title={t("link.failed")} hint={t("link.failedHint")}>
        <Button type="primary" onClick={() => location.reload()}>
          {t("common.reload")}
        </Button>
      </PlainPage>
    );
  }
  return children;
}

export function LinkBanner() {
  const { t } = useTranslation();
  const { state, newerBuild } = useLink();
  const { status } = useSlice("call");
  const inCall = status !== "idle";
  return (
    <div className="link-banners" aria-live="polite">
      {state === "respawning" && (
        <div className="link-banner link-banner-warn">
          <span className="link-spinner" aria-hidden="true" />
          {t("link.respawning")}
        </div>
      )}
      {newerBuild !== null && (
        <div className="link-banner">
          {t(inCall ? "link.newerBuildInCall" : "link.newerBuild")}
          <Button size="mini" type="primary" disabled={inCall} onClick={() => location.reload()}>
            {t("common.reload")}
          </Button>
        </div>
      )}
    </div>
  );
}
