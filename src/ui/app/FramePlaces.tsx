/** What a path shows after the login: a page in the frame, or another path. */
import { Navigate, useLocation } from "react-router-dom";
import { LeaveGuard } from "../components/LeaveGuard.tsx";
import { MainLayout } from "../layout/MainLayout.tsx";
import { useSlice } from "../state/services.ts";
import { usePages, usePlace } from "../places/place.tsx";
import { RetryInfo } from "./RetryInfo.tsx";

/** An unknown path waits until the menus' routes are known, so that a reload keeps its page. */
function Unknown() {
  const { infoLoaded, isGuest } = useSlice("session");
  if (!infoLoaded && isGuest !== "1") return <RetryInfo />;
  return <Navigate replace to="/404" />;
}

export default function FramePlaces({ owner }: { readonly owner: string }) {
  const pages = usePages();
  const place = usePlace(pages, useLocation().pathname);
  if (place.type === "outside") return <Unknown />;
  // stays mounted while it redirects between its pages, so that kept pages stay
  return (
    <LeaveGuard>
      <MainLayout key={owner} owner={owner} pages={pages} place={place} />
    </LeaveGuard>
  );
}
