/** One quiet line: the most urgent problem of the call in words, with what to do (docs/calls.md#problems-in-words). */
import { useTranslation } from "react-i18next";
import { CALL_PROBLEMS, callProblemOf, worstScores } from "../../../shared/domain/call-problems.ts";
import { currentLanguage } from "../../i18n/index.ts";
import { useSlice } from "../../state/services.ts";

export function CallProblemLine() {
  useTranslation();
  const { link, local, remote, noData, info, startedAt } = useSlice("call");
  const { streams } = useSlice("quality");
  const { state } = useSlice("reach");
  const wantsPicture = info?.media === "video" && !local.videoOff;
  const problem =
    startedAt === null
      ? null
      : callProblemOf({
          link,
          offline: state === "offline",
          microphone: local.microphone ?? "on",
          camera: wantsPicture ? (local.camera ?? "on") : "off",
          noData,
          picture: {
            local: wantsPicture ? (local.picture ?? "full") : "full",
            remote: remote.videoOff ? "full" : (remote.picture ?? "full"),
          },
          quality: worstScores(Object.values(streams), info?.callId ?? ""),
        });
  if (problem === null) return null;
  const { text, en } = CALL_PROBLEMS[problem];
  return (
    <span className="call-mark call-mark-warn" data-problem={problem}>
      {currentLanguage() === "en" ? en : text}
    </span>
  );
}
