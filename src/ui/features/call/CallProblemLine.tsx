/** One quiet line: the most urgent problem of the call in words, with what to do (docs/calls.md#problems-in-words). */
import { useTranslation } from "react-i18next";
import {
  type CallProblemFacts,
  callProblemOf,
  callProblemText,
  deviceErrorOf,
  worstScores,
} from "../../../shared/domain/call-problems.ts";
import { MEDIA_BLOCKED_MILLIS } from "../../../shared/domain/network-words.ts";
import { currentLanguage } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useNow, useSlice } from "../../state/services.ts";
import { permissionPlace } from "../call-parts/own-devices.ts";
import { CALL_WINDOW_TEXTS } from "../call-parts/texts.ts";

export function CallProblemLine(props: {
  /** Opens devices that failed once more. */
  readonly onRetry: () => void;
  /** Opens the choice of devices; null in a tab that does not have them. */
  readonly onChoose: (() => void) | null;
}) {
  const { t } = useTranslation();
  const chooseText = useTexts(CALL_WINDOW_TEXTS);
  const { connection, local, remote, noData, info, startedAt } = useSlice("call");
  const { streams } = useSlice("quality");
  const { state } = useSlice("reach");
  const wantsPicture = info?.media === "video" && !local.videoOff;
  const now = useNow(1000, startedAt ?? 0);
  const facts: CallProblemFacts = {
    connection,
    blocked:
      connection === "connecting" && startedAt !== null && now - startedAt >= MEDIA_BLOCKED_MILLIS,
    offline: state === "offline",
    microphone: local.microphone ?? "on",
    camera: wantsPicture ? (local.camera ?? "on") : "off",
    noData,
    picture: {
      local: wantsPicture ? (local.picture ?? "full") : "full",
      remote: remote.videoOff ? "full" : (remote.picture ?? "full"),
    },
    quality: worstScores(Object.values(streams), info?.callId ?? ""),
  };
  const problem = startedAt === null ? null : callProblemOf(facts);
  if (problem === null) return null;
  const { text, en } = callProblemText(problem, facts, permissionPlace(navigator.userAgent));
  const row = deviceErrorOf(problem, facts);
  return (
    <span className="call-mark call-mark-warn" data-problem={problem} data-cause={row?.cause}>
      {currentLanguage() === "en" ? en : text}
      {row?.ways.includes("retry") === true && (
        <button type="button" onClick={props.onRetry}>
          {t("common.retry")}
        </button>
      )}
      {row?.ways.includes("choose") === true && props.onChoose !== null && (
        <button type="button" onClick={props.onChoose}>
          {chooseText("chooseDevice")}
        </button>
      )}
    </span>
  );
}
