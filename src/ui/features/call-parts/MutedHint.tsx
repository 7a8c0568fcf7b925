/** Above the controls: the person speaks into a muted microphone, or holds Space to be heard (docs/calls.md#muted). */
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useAppearance, useCore, useMediaState, useSlice } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { controlsOf } from "./own-devices.ts";
import { useHoldToTalk } from "./useHoldToTalk.ts";
import "./muted.css";

const TEXTS = texts({
  muted: ["您已静音，别人听不到您说话", "You are muted. The others cannot hear you."],
  mutedHold: [
    "您已静音，别人听不到您说话。可按住空格键临时发言",
    "You are muted. The others cannot hear you. Hold Space to talk.",
  ],
  byAdmin: [
    "主持人已将您静音，别人听不到您说话",
    "An admin has muted you. The others cannot hear you.",
  ],
  unmute: ["取消静音", "Unmute"],
  holding: ["正在发言，松开空格键恢复静音", "You can be heard. Let go of Space to mute again."],
});

export function CallMutedHint() {
  const { local } = useSlice("call");
  const { call } = useCore().commands;
  return (
    <Hint
      muted={local.audioMuted && local.hasAudio}
      mayUnmute
      setMuted={(audioMuted) => call.setLocal({ audioMuted })}
    />
  );
}

/** Of a conference or group call. */
export function ConferenceMutedHint() {
  const { local, self, muteAll, mutedByAdmin, status } = useSlice("conference");
  const { conference } = useCore().commands;
  const { microphone } = controlsOf(local);
  const silenced = mutedByAdmin || (muteAll && self?.role !== CONFERENCE_ROLE.admin);
  return (
    <Hint
      muted={status === "joined" && microphone.open && !microphone.on}
      mayUnmute={!silenced}
      setMuted={(audioMuted) => conference.setLocal({ audioMuted })}
    />
  );
}

function Hint(props: {
  readonly muted: boolean;
  readonly mayUnmute: boolean;
  readonly setMuted: (muted: boolean) => Promise<unknown>;
}) {
  const { muted, mayUnmute, setMuted } = props;
  const text = useTexts(TEXTS);
  const [{ holdToTalk }] = useAppearance();
  const { mutedVoice } = useMediaState();
  const holding = useHoldToTalk(holdToTalk && muted && mayUnmute, setMuted);
  const speaks = muted && mutedVoice && !holding;
  // A phone has no Space to hold.
  const mayHold = holdToTalk && !matchMedia("(pointer: coarse)").matches;
  const mutedText = mayUnmute ? (mayHold ? "mutedHold" : "muted") : "byAdmin";
  return (
    <div className="muted-hint" role="status" data-holding={holding} data-muted-voice={speaks}>
      {holding && <span>{text("holding")}</span>}
      {speaks && <span>{text(mutedText)}</span>}
      {speaks && mayUnmute && (
        <button type="button" onClick={() => void setMuted(false).catch(showError)}>
          {text("unmute")}
        </button>
      )}
    </div>
  );
}
