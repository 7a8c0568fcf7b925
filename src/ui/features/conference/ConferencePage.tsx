/** 会议: the lobby, or the conference that the person is in. A link with ?id= opens the form for joining that conference. */
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { PageFallback } from "../../app/PageFallback.tsx";
import { useSlice } from "../../state/services.ts";
import { Lobby } from "./Lobby.tsx";
import "./arco.ts";
import "./conference.css";
import { retrying } from "../../state/retrying.ts";

const Room = lazy(() => retrying(() => import("./Room.tsx")));

export default function ConferencePage() {
  const { t } = useTranslation();
  const { status } = useSlice("conference");
  return (
    <div className="confr" aria-label={t("conference.title")}>
      {status === "idle" ? (
        <Lobby />
      ) : (
        <Suspense fallback={<PageFallback />}>
          <Room />
        </Suspense>
      )}
    </div>
  );
}
