/** The own devices of a call: what the others can hear and see of them, what the person asks for, and what is wrong with them in words. */
import type { AppError } from "../../../shared/errors.ts";
import type { CallSlice } from "../../../shared/protocol/state.ts";
import type { Store } from "../contracts.ts";

/** A device that the system silences is open, and nothing of it can be heard or seen: as one that is off. */
export function ownSends({ local }: Pick<CallSlice, "local">): {
  readonly audio: boolean;
  readonly video: boolean;
} {
  const { audioMuted, videoOff, hasAudio, hasVideo, microphone, camera } = local;
  return {
    audio: hasAudio && !audioMuted && microphone !== "system-muted",
    video: hasVideo && !videoOff && camera !== "system-muted",
  };
}

/** The devices to open again even though that failed before: what the person turns on, or both for a mere retry. */
export function askedFor(wish: {
  readonly audioMuted?: boolean | undefined;
  readonly videoOff?: boolean | undefined;
  readonly publish?: true | undefined;
}): readonly ("audio" | "video")[] {
  const { audioMuted, videoOff, publish } = wish;
  const retry = publish === true && audioMuted === undefined && videoOff === undefined;
  return [
    ...(audioMuted === false || retry ? (["audio"] as const) : []),
    ...(videoOff === false || retry ? (["video"] as const) : []),
  ];
}

/** An error of a device has its words in both languages. */
export function deviceNotice({
  code,
  message: text,
  details,
}: AppError): Parameters<Store["notice"]>[0] {
  const { en } = details ?? {};
  const args = typeof en === "string" ? { args: { en } } : {};
  return { style: "warning", text, key: code, code, ...args };
}
