/** Routes of the console: static ones, those of the person's menus, and the guard around them (docs/session.md#static-routes). */
import { Suspense, useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { matchPath, Route, Routes, useLocation, useNavigate } from "react-router-dom";
import { HOME_PATH, isOpenPath } from "../../shared/domain/guard.ts";
import { FrameSkeleton } from "./CoreState.tsx";
import { Guard } from "./Guard.tsx";
import { FramePlaces, preloadFrame } from "./frame.ts";
import { lazyPart } from "../loading/lazy-part.tsx";
import { PageFallback } from "../loading/PageFallback.tsx";
import { useWait } from "../loading/useWait.ts";
// Not lazy: a first visit shows this page, and another round of requests costs a second on a slow network.
import LoginPage, { RESET } from "../features/login/LoginPage.tsx";
import { ForbiddenPage, NotFoundPage, Unreachable } from "../features/fallback/pages.tsx";
import { takesInputAlong } from "../../shared/domain/guard.ts";
import { closeDialogs } from "../state/dialogs.ts";
import { clearSession, dropSession, TAGS_KEY } from "../storage.ts";
import { retryNow } from "../state/retry-now.ts";
import { useHeld, useSlice } from "../state/services.ts";

const AuthRedirect = lazyPart<object>(() =>
  import("../features/login/AuthRedirectPage.tsx").then((m) => ({ default: m.AuthRedirectPage })),
);
/** Both steps of it, so that what was typed survives the way back. */
const Registration = lazyPart<object>(() =>
  import("../features/register/Registration.tsx").then((m) => ({ default: m.Registration })),
);
const Reset = lazyPart<object>(() =>
  import("../features/register/ResetPage.tsx").then((m) => ({ default: m.ResetPage })),
);

/** No page of the frame: nothing of the lost company may stay (docs/session.md#end-of-access). */
const Outside = lazyPart<{ company: string }>(() => import("../features/outside/OutsidePage.tsx"));

/** The reset of a password has no path of its own: without a token there are four (docs/session.md#guard). */
function Login() {
  const { search } = useLocation();
  return new URLSearchParams(search).has(RESET) ? <Reset /> : <LoginPage preload={preloadFrame} />;
}

/** Static pages outside of the frame; every other path is the frame's. */
const OUTSIDE: Readonly<Record<string, ReactNode>> = {
  "/login": <Login />,
  "/register": <Registration />,
  "/auth-redirect": <AuthRedirect />,
  "/nextPage": <Registration />,
  "/404": <NotFoundPage />,
  "/401": <ForbiddenPage />,
  "/error/404": <NotFoundPage />,
  "/error/401": <ForbiddenPage />,
};

/** Scrolls to the top for every new page; pages of the frame scroll in their own area. */
function ScrollReset() {
  const { pathname } = useLocation();
  useLayoutEffect(() => {
    scrollTo(0, 0);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the path is what it answers
  }, [pathname]);
  return null;
}

/**
 * Leaves the pages of a company that the person switched away from in any tab: this tab goes to the dashboard of the new company.
 * The core shows the notice company.switched.
 */
function useLeaveFormerCompany(): void {
  const navigate = useNavigate();
  const { accountId, supplierId, status, infoLoaded } = useSlice("session");
  const shown = useRef<{ accountId: string; supplierId: string } | null>(null);
  useEffect(() => {
    if (status !== "authenticated" || !infoLoaded || accountId === null || supplierId === null) {
      return;
    }
    const before = shown.current;
    shown.current = { accountId, supplierId };
    if (before === null || before.accountId !== accountId) return;
    if (before.supplierId === supplierId) return;
    closeDialogs();
    void navigate(HOME_PATH, { replace: true });
  }, [accountId, supplierId, status, infoLoaded, navigate]);
}

/** While the code of the frame, or of a page outside of it, loads. */
function PlacesFallback() {
  const { t } = useTranslation();
  const wait = useWait();
  if (wait === "moment") return <FrameSkeleton label={t("common.loading")} />;
  if (wait !== "loading") return <Unreachable outage={wait} onRetry={retryNow} />;
  // the outline of the frame tells enough, and such a page has none
  return isOpenPath(location.pathname) ? (
    <main className="plain">
      <PageFallback />
    </main>
  ) : (
    <FrameSkeleton label={t("common.loading")} />
  );
}

function Places() {
  useLeaveFormerCompany();
  const { pathname } = useLocation();
  const { accountId, supplierId, status, outside } = useSlice("session");
  const owner = useHeld(`${accountId ?? ""}:${supplierId ?? ""}`, status !== "restoring");
  const paths = Object.entries(OUTSIDE);
  const isStatic = paths.some(([path]) => matchPath(path, pathname) !== null);
  return (
    <Suspense fallback={<PlacesFallback />}>
      {outside !== null ? (
        <Outside company={outside.company} />
      ) : isStatic ? (
        <Routes>
          {paths.map(([path, element]) => (
            <Route key={path} path={path} element={element} />
          ))}
        </Routes>
      ) : (
        <FramePlaces owner={owner} loadAhead={Outside.loadAhead} />
      )}
    </Suspense>
  );
}

export function AppRoutes() {
  const { status, left } = useSlice("session");
  const out = status === "anonymous";
  const loggedOut = out && takesInputAlong(left);
  useEffect(() => {
    // A logout clears what each tab keeps (docs/session.md#logout): tags, drafts of forms, search words of lists, titles.
    if (loggedOut) clearSession();
    // After an expired login the person goes on with what was typed.
    else if (out) dropSession(TAGS_KEY);
  }, [out, loggedOut]);
  return (
    <>
      <ScrollReset />
      <Guard>
        <Places />
      </Guard>
    </>
  );
}
