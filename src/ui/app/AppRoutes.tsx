/** Routes of the console: static ones, those of the person's menus, and the guard around them (docs/session.md#static-routes). */
import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, Outlet, Route, Routes, useLocation, useNavigate } from "react-router-dom";
import { HOME_PATH } from "../../shared/domain/guard.ts";
import { FrameSkeleton } from "./CoreState.tsx";
import { Guard, RetryInfo } from "./Guard.tsx";
import { usePages, usePlace } from "./place.tsx";
import { MainLayout } from "./frame.ts";
// Not lazy: a first visit shows this page, and another round of requests costs a second on a slow network.
import LoginPage from "../features/login/LoginPage.tsx";
import { ForbiddenPage, NotFoundPage, SimplePage } from "../features/fallback/pages.tsx";
import { closeDialogs } from "../state/dialogs.ts";
import { dropSession } from "../state/storage.ts";
import { useHeld, useSlice } from "../state/services.ts";
import { TAGS_KEY } from "../state/tags.ts";

const AuthRedirect = lazy(() =>
  import("../features/login/AuthRedirectPage.tsx").then((m) => ({ default: m.AuthRedirectPage })),
);

/** An unknown path waits until the menus' routes are known, so that a reload keeps its page. */
function Unknown() {
  const { infoLoaded, isGuest } = useSlice("session");
  if (!infoLoaded && isGuest !== "1") return <RetryInfo />;
  return <Navigate replace to="/404" />;
}

/** Scrolls to the top for every new page; pages of the frame scroll in their own area. */
function ScrollReset() {
  const { pathname } = useLocation();
  useLayoutEffect(() => {
    scrollTo(0, 0);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the path is what it answers
  }, [pathname]);
  return null;
}

function Bare() {
  const { t } = useTranslation();
  return (
    <Suspense fallback={<FrameSkeleton label={t("common.loading")} />}>
      <Outlet />
    </Suspense>
  );
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

/** Keeps the frame mounted while redirecting between its pages, so that kept pages stay. */
function Places() {
  const { t } = useTranslation();
  useLeaveFormerCompany();
  const pages = usePages();
  const place = usePlace(pages, useLocation().pathname);
  const { accountId, supplierId, status } = useSlice("session");
  const owner = useHeld(`${accountId ?? ""}:${supplierId ?? ""}`, status !== "restoring");
  if (place.type !== "outside") {
    return (
      <Suspense fallback={<FrameSkeleton label={t("common.loading")} />}>
        <MainLayout key={owner} owner={owner} pages={pages} place={place} />
      </Suspense>
    );
  }
  return (
    <Routes>
      <Route element={<Bare />}>
        <Route path="/login" element={<LoginPage />} />
        <Route path="/register" element={<SimplePage name="register" />} />
        <Route path="/auth-redirect" element={<AuthRedirect />} />
        <Route path="/nextPage" element={<SimplePage name="nextPage" />} />
        <Route path="/404" element={<NotFoundPage />} />
        <Route path="/401" element={<ForbiddenPage />} />
        <Route path="/error/404" element={<NotFoundPage />} />
        <Route path="/error/401" element={<ForbiddenPage />} />
      </Route>
      <Route path="*" element={<Unknown />} />
    </Routes>
  );
}

export function AppRoutes() {
  const { status } = useSlice("session");
  const out = status === "anonymous";
  useEffect(() => {
    // a logout takes the tags along (docs/session.md#logout), in whichever tab it was
    if (out) dropSession(TAGS_KEY);
  }, [out]);
  return (
    <>
      <ScrollReset />
      <Guard>
        <Places />
      </Guard>
    </>
  );
}
