/** Shows the state of the connection to the core, while there is nothing else to show: a skeleton or a plain page. */
import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { pagePath } from "../../core-client/base-path.ts";
import { isOpenPath } from "../../shared/domain/guard.ts";
import { PlainButton } from "../components/PlainButton.tsx";
import { useCore, useCoreState } from "../state/services.ts";
import { Replaced, Unreachable } from "../features/fallback/pages.tsx";
import { PlainPage } from "../features/fallback/PlainPage.tsx";
import "./core-state.css";

/** The oldest versions that the build is made for (vite.config.ts); all have SharedWorker, modules in it, and Web Locks. */
const BROWSERS = [
  "Google Chrome 120+",
  "Microsoft Edge 120+",
  "Mozilla Firefox 121+",
  "Apple Safari 17.4+",
];

/** The outline of the frame, shown while nothing is loaded. */
export function FrameSkeleton({ label }: { readonly label: string }) {
  // the login page has no frame, so its outline would only flash
  if (isOpenPath(pagePath())) {
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

/**
 * ms after the start of the navigation for which an open page (the login) waits for the core. On a fast network the core answers
 * sooner, so that a logged-in person does not see the form flash; on a slow one the form is shown while the core still loads.
 */
const OPEN_PAGE_PATIENCE = 1_000;

/** Whether `ms` have passed since the navigation began. */
function useSinceNavigation(ms: number): boolean {
  const [elapsed, setElapsed] = useState(() => performance.now() >= ms);
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), Math.max(0, ms - performance.now()));
    return () => clearTimeout(timer);
  }, [ms]);
  return elapsed;
}

export function CoreGate({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const core = useCore();
  const { state, unsupported, newerBuild, unreachable } = useCoreState();
  const [wasReady, setWasReady] = useState(false);
  if (state === "ready" && !wasReady) setWasReady(true);
  const overdue = useSinceNavigation(OPEN_PAGE_PATIENCE);
  // A lost core does not remove the page: what was typed stays, and the bar reports the outage.
  if (wasReady) return children;
  if (
    state === "connecting" &&
    newerBuild === null &&
    !unreachable &&
    !(overdue && isOpenPath(pagePath()))
  ) {
    return <FrameSkeleton label={t("coreState.connecting")} />;
  }
  if (state === "unsupported") {
    const reason = unsupported ?? "old";
    return (
      <PlainPage
        icon={reason === "insecure" ? "lock" : "browser"}
        title={t(`coreState.unsupported.${reason}.title`)}
        hint={t(`coreState.unsupported.${reason}.hint`)}
      >
        {/* another browser has no Web Locks without https either */}
        {reason !== "insecure" && (
          <ul className="browsers">
            {BROWSERS.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        )}
      </PlainPage>
    );
  }
  // another build is deployed, or the server is down: another attempt alone would not help
  if (newerBuild !== null) return <Replaced />;
  if (unreachable) return <Unreachable onRetry={core.retry} />;
  if (state === "failed") {
    return (
      <PlainPage icon="broken" title={t("coreState.failed")} hint={t("coreState.failedHint")}>
        <PlainButton look="primary" onClick={() => location.reload()}>
          {t("common.reload")}
        </PlainButton>
      </PlainPage>
    );
  }
  return children;
}
