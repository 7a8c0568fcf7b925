/** Runs the route guard for every navigation. The pure function decides; this file only carries out the decision. */
import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation } from "react-router-dom";
import { guard, isOpenPath, takesInputAlong } from "../../shared/domain/guard.ts";
import type { SessionSlice } from "../../shared/protocol/state.ts";
import { dropSession, readSession, writeSession } from "../storage.ts";
import { showError } from "../state/show-message.ts";
import { keepTrying } from "../state/recover.ts";
import { useCore, useCoreState, useSlice } from "../state/services.ts";
import { FrameSkeleton } from "./CoreState.tsx";
import { arrivalOf, ownerOf } from "./path-owner.ts";

export function Guard({ children }: { readonly children: ReactNode }) {
  const core = useCore();
  const { t } = useTranslation();
  const { status, infoLoaded, isGuest, accountId, left } = useSlice("session");
  const location = useLocation();
  const [failedFor, setFailedFor] = useState<string | null>(null);
  const who = `${status}:${accountId ?? ""}`;
  const { pathOwner, loggedOut, own } = usePathOwner(status, left);
  const infoFailed = failedFor === who;
  const decision = guard(
    { status, infoLoaded, isGuest, infoFailed, accountId, loggedOut, pathOwner },
    location,
  );
  const arrived = decision.type === "allow" && status === "authenticated" && infoLoaded;
  useEffect(() => {
    if (arrived && accountId !== null) own(accountId);
  }, [arrived, accountId, own]);

  const loading = decision.type === "load-info";
  useEffect(() => {
    if (!loading) return;
    return keepTrying(
      () => core.commands.session.loadInfo({}),
      (error) => {
        showError(error);
        setFailedFor(who);
      },
      () => core.state.session.status === "anonymous",
    );
  }, [core, loading, who]);

  const { state } = useCoreState();
  // The core is still starting: an open page is shown once CoreState stops waiting for it.
  const early = state === "connecting" && isOpenPath(location.pathname);
  // A restarted core soon knows the person again: keep the pages, with everything typed into them, until then.
  const allowed = decision.type === "allow" || (decision.type === "wait" && early);
  const [shown, setShown] = useState(allowed);
  if (allowed !== shown && (status !== "restoring" || early)) setShown(allowed);
  if (decision.type === "wait" && shown) return children;
  if (decision.type === "wait" || decision.type === "load-info") {
    return <FrameSkeleton label={t("common.loading")} />;
  }
  if (decision.type === "redirect") return <Navigate replace to={decision.to} />;
  return children;
}

const OWNER_KEY = "pathOwner";

/** See path-owner.ts. */
function usePathOwner(
  status: SessionSlice["status"],
  left: SessionSlice["left"],
): {
  readonly pathOwner: string | null;
  readonly loggedOut: boolean;
  own(accountId: string): void;
} {
  const [pathOwner, setOwner] = useState(() =>
    ownerOf(readSession(OWNER_KEY), arrivalOf(performance)),
  );
  const [wasIn, setWasIn] = useState(false);
  if (status === "authenticated" && !wasIn) setWasIn(true);
  const loggedOut = wasIn && status === "anonymous" && takesInputAlong(left);
  if (loggedOut && pathOwner !== null) setOwner(null);
  useEffect(() => {
    if (pathOwner === null) dropSession(OWNER_KEY);
    else writeSession(OWNER_KEY, { accountId: pathOwner, page: performance.timeOrigin });
  }, [pathOwner]);
  return { pathOwner, loggedOut, own: setOwner };
}
