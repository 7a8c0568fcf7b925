/** The middle of a conference or group call: the tiles in the owner tab, in other tabs a button that brings them here. */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { deviceErrorRow, type Words } from "../../../shared/domain/device-errors.ts";
import { MEDIA_BLOCKED, MEDIA_BLOCKED_ADVICE } from "../../../shared/domain/network-words.ts";
import { SpeakerIcon } from "../../components/call-icons.tsx";
import { currentLanguage } from "../../i18n/index.ts";
import { useCore, useMediaState, useServices, useSlice } from "../../state/services.ts";
import { ConferenceMutedHint } from "../call-parts/MutedHint.tsx";
import { DevicesHint } from "./DevicesHint.tsx";
import { DrawingContext, useNewDrawing } from "./drawing.ts";
import { type Layout, Stage } from "./Stage.tsx";
import { useBlocked } from "./useBlocked.ts";
import { type ConferenceActions, useConference } from "./useConference.ts";

export interface ActionsWithHint extends ConferenceActions {
  /** The hint about missing devices that the person has closed. */
  readonly closedHint: string;
  closeHint(hint: string): void;
}

/** As `useConference`; a person who turns on a missing device sees again why it stays off. */
export function useActionsWithHint(): ActionsWithHint {
  const commands = useConference();
  const [closedHint, closeHint] = useState("");
  return {
    ...commands,
    closedHint,
    closeHint,
    setMuted(audioMuted) {
      closeHint("");
      commands.setMuted(audioMuted);
    },
    setVideoOff(videoOff) {
      closeHint("");
      commands.setVideoOff(videoOff);
    },
  };
}

export function ConferenceBody(props: {
  readonly className: string;
  readonly actions: ActionsWithHint;
  readonly layout: Layout;
  /** What stands there while nobody else is inside. */
  readonly alone?: string;
  /** What stands there in a tab without the media. */
  readonly elsewhere: string;
  readonly bringHere: string;
  /** Opens the choice of devices. */
  readonly onChoose: () => void;
}) {
  const { actions, alone } = props;
  const { t } = useTranslation();
  const core = useCore();
  const { media } = useServices();
  const { autoplayBlocked, screenPaused } = useMediaState();
  const { owner } = useSlice("conference");
  const ownsMedia = owner?.tabId === core.tabId;
  const blocked = useBlocked();
  const drawing = useNewDrawing();
  const paused = deviceErrorRow("screen", "system-muted");
  if (!ownsMedia) {
    return (
      <div className={props.className}>
        <div className="conference-elsewhere">
          <p role="status">{props.elsewhere}</p>
          {owner !== null && (
            <Button
              type="primary"
              size="large"
              loading={actions.busy.has("bring")}
              onClick={actions.bringHere}
            >
              {props.bringHere}
            </Button>
          )}
        </div>
      </div>
    );
  }
  return (
    <div className={props.className}>
      <DevicesHint
        actions={actions}
        closed={actions.closedHint}
        onClose={actions.closeHint}
        onChoose={props.onChoose}
      />
      {screenPaused && <Line about="screen" what={paused.what} advice={paused.advice} />}
      {blocked && <Line about="blocked" what={MEDIA_BLOCKED} advice={MEDIA_BLOCKED_ADVICE} />}
      <DrawingContext value={drawing}>
        <Stage layout={props.layout} {...(alone === undefined ? {} : { alone })} />
      </DrawingContext>
      <ConferenceMutedHint />
      {autoplayBlocked && (
        <button
          type="button"
          className="call-sound"
          onClick={() => void media.resumePlayback().catch(() => undefined)}
        >
          <SpeakerIcon />
          {t("conference.inside.playSound")}
        </button>
      )}
    </div>
  );
}

/** One thing that is wrong, and what to do. */
function Line(props: {
  readonly about: "screen" | "blocked";
  readonly what: Words;
  readonly advice: Words;
}) {
  const { about, what, advice } = props;
  useTranslation();
  const english = currentLanguage() === "en";
  return (
    <div className="conference-devices" role="status" data-what={about}>
      <div>
        <p>{english ? `${what.en}. ${advice.en}.` : `${what.zh}。${advice.zh}。`}</p>
      </div>
    </div>
  );
}
