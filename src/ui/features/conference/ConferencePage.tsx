/** 会议: the lobby, the green room of a conference that a link with ?id= names, or the conference that the person is in. */
import { lazy, Suspense, useDeferredValue, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";
import { conferenceIn } from "../../../shared/domain/meeting-number.ts";
import { PageFallback } from "../../loading/PageFallback.tsx";
import { useSlice } from "../../state/services.ts";
import { Lobby } from "./Lobby.tsx";
import "./arco.ts";
import "./conference.css";
import { retrying } from "../../state/retrying.ts";
import "../../i18n/conference-texts.ts";

const GreenRoom = lazy(() => retrying(() => import("./GreenRoom.tsx")));
const InsideConference = lazy(() => retrying(() => import("./InsideConference.tsx")));

export default function ConferencePage() {
  const { t } = useTranslation();
  const { status, info } = useSlice("conference");
  const { status: groupCall } = useSlice("groupCall");
  const [params, setParams] = useSearchParams();
  const linked = conferenceIn(params.get("id") ?? "");
  const entered = linked !== "" && status === "joined" && info?.confrId === linked;
  useEffect(() => {
    // The link has done its work: leaving the conference leads to the lobby.
    if (entered) setParams({}, { replace: true });
  }, [entered, setParams]);
  const isCall = groupCall === "entering" || groupCall === "inCall";
  const isInside = status !== "idle" && !isCall;
  // The lobby takes a while to draw. After a conference it may be interrupted by what replaces the whole page, as a lost company does.
  const wasInside = useDeferredValue(isInside);
  return (
    <div className="conference" aria-label={t("conference.title")}>
      <Suspense fallback={<PageFallback />}>
        {isInside ? (
          <InsideConference />
        ) : wasInside ? null : linked === "" ? (
          <Lobby />
        ) : (
          <GreenRoom
            key={linked}
            confrId={linked}
            onLeave={() => setParams({}, { replace: true })}
          />
        )}
      </Suspense>
    </div>
  );
}
