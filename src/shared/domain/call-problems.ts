/**
 * What is wrong with a call of two, in words with what to do (docs/calls.md#problems-in-words). The window shows the first row that applies,
 * so the rows are in the order of urgency. Pure.
 */
import type { PermissionPlace } from "./device-error-words.ts";
import { type DeviceErrorRow, deviceErrorRow, wordsOf } from "./device-errors.ts";
import { causeOfState, type DeviceState, isDeviceCause } from "./device-states.ts";
import { MEDIA_BLOCKED, MEDIA_BLOCKED_ADVICE } from "./network-words.ts";
import type { PictureLevel } from "./picture-levels.ts";
import type { QualityScore } from "./quality.ts";

export interface CallProblemFacts {
  /** The connection of the call, as the slice shows it. */
  readonly connection: "none" | "connecting" | "connected" | "weak" | "restarting" | "failed";
  /** The call is on for `MEDIA_BLOCKED_MILLIS`, and its connection never came up. */
  readonly blocked: boolean;
  /** The machine has no network. */
  readonly offline: boolean;
  readonly microphone: DeviceState;
  /** `off` in a voice call, and while the person wants no picture. */
  readonly camera: DeviceState;
  /** The call monitor misses everything of this direction. */
  readonly noData: { readonly local: boolean; readonly remote: boolean };
  /** What a weak network leaves of the pictures; a camera that is off has the whole one. */
  readonly picture: { readonly local: PictureLevel; readonly remote: PictureLevel };
  /** The worst score of what is sent (local) and of what arrives (remote). */
  readonly quality: { readonly local: QualityScore; readonly remote: QualityScore };
}

export interface CallProblemText {
  readonly text: string;
  readonly en: string;
}
/** The words of a device are in the table of device errors. */
type Row = { readonly when: (facts: CallProblemFacts) => boolean } & Partial<CallProblemText>;

const isPoor = (score: QualityScore): boolean => score < 2;

export const CALL_PROBLEMS = {
  offline: {
    when: ({ offline }) => offline,
    text: "您的设备已断网。请检查网络连接，恢复后通话会自动继续",
    en: "This device has no network. Check the connection; the call goes on by itself.",
  },
  blocked: {
    when: ({ blocked }) => blocked,
    text: `${MEDIA_BLOCKED.zh}。${MEDIA_BLOCKED_ADVICE.zh}`,
    en: `${MEDIA_BLOCKED.en}. ${MEDIA_BLOCKED_ADVICE.en}.`,
  },
  restoring: {
    when: ({ connection }) => connection === "restarting",
    text: "通话连接已中断，正在自动恢复，请不要挂断",
    en: "The connection was lost and is being restored. Do not hang up.",
  },
  unstable: {
    when: ({ connection }) => connection === "weak",
    text: "网络连接不稳定，正在等待恢复。请检查您的网络",
    en: "The connection is unstable. Check your network.",
  },
  microphone: { when: ({ microphone }) => isDeviceCause(microphone) },
  ownSilent: {
    when: ({ noData }) => noData.local,
    text: "您的声音和画面没有发出，对方可能听不到您。请检查您的网络",
    en: "Nothing of you is being sent, so you may not be heard. Check your network.",
  },
  peerSilent: {
    when: ({ noData }) => noData.remote,
    text: "收不到对方的声音和画面，对方的网络可能已中断。请稍候，或请对方检查网络",
    en: "Nothing arrives from the other side, whose network may be down. Wait, or ask them to check it.",
  },
  ownPictureOff: {
    when: ({ picture }) => picture.local === "off",
    text: "您的网络较差，已暂停发送您的画面以保证声音，网络好转后会自动恢复。可靠近路由器或换用其他网络",
    en: "Your network is poor, so your picture is paused to keep the sound. It comes back by itself. Move closer to the router or change the network.",
  },
  peerPictureOff: {
    when: ({ picture }) => picture.remote === "off",
    text: "对方的网络较差，已暂停对方画面以保证声音，网络好转后会自动恢复，请稍候",
    en: "The other side's network is poor, so their picture is paused to keep the sound. It comes back by itself; wait a moment.",
  },
  ownPictureSmall: {
    when: ({ picture }) => picture.local === "small",
    text: "您的网络较差，已降低您的画面清晰度以保证声音。可靠近路由器或换用其他网络",
    en: "Your network is poor, so your picture is smaller to keep the sound. Move closer to the router or change the network.",
  },
  peerPictureSmall: {
    when: ({ picture }) => picture.remote === "small",
    text: "对方的网络较差，已降低对方画面清晰度以保证声音，可请对方换用其他网络",
    en: "The other side's network is poor, so their picture is smaller to keep the sound. Ask them to change the network.",
  },
  bothWeak: {
    when: ({ quality }) => isPoor(quality.local) && isPoor(quality.remote),
    text: "通话网络较差，双方可能听不清。可靠近路由器、换用其他网络，或关闭摄像头",
    en: "The network of this call is poor for both sides. Move closer to the router, change the network, or turn the camera off.",
  },
  ownWeak: {
    when: ({ quality }) => isPoor(quality.local),
    text: "您的网络较差，对方可能听不清您。可靠近路由器、换用其他网络，或关闭摄像头",
    en: "Your network is poor, so you may be hard to hear. Move closer to the router, change the network, or turn the camera off.",
  },
  peerWeak: {
    when: ({ quality }) => isPoor(quality.remote),
    text: "对方的网络较差，声音和画面可能断续。可请对方换用其他网络，或关闭摄像头",
    en: "The other side's network is poor. Ask them to change the network or to turn the camera off.",
  },
  camera: { when: ({ camera }) => isDeviceCause(camera) },
} as const satisfies Readonly<Record<string, Row>>;
export type CallProblem = keyof typeof CALL_PROBLEMS;

const ORDER = Object.keys(CALL_PROBLEMS) as CallProblem[];

/** @returns the most urgent problem; null when there is none */
export const callProblemOf = (facts: CallProblemFacts): CallProblem | null =>
  ORDER.find((problem) => CALL_PROBLEMS[problem].when(facts)) ?? null;

/** What is wrong with a device, if that is the problem; null for every other problem. */
export function deviceErrorOf(
  problem: CallProblem,
  facts: Pick<CallProblemFacts, "microphone" | "camera">,
): DeviceErrorRow | null {
  if (problem !== "microphone" && problem !== "camera") return null;
  const cause = causeOfState(facts[problem]);
  return cause === null ? null : deviceErrorRow(problem, cause);
}

/** @param place where the person allows devices in this browser */
export function callProblemText(
  problem: CallProblem,
  facts: Pick<CallProblemFacts, "microphone" | "camera">,
  place?: PermissionPlace,
): CallProblemText {
  if (problem !== "microphone" && problem !== "camera") return CALL_PROBLEMS[problem];
  const cause = causeOfState(facts[problem]) ?? "failed";
  const { what, advice } = wordsOf(problem, cause, place);
  const heard = problem === "microphone";
  return {
    text: `${what.zh}，对方${heard ? "听" : "看"}不到您。${advice.zh}`,
    en: `${what.en}, so you are not ${heard ? "heard" : "seen"}. ${advice.en}.`,
  };
}

/** The worst score of each direction of a call; 2 without figures. */
export function worstScores(
  streams: Iterable<{
    readonly callId: string;
    readonly direction: "local" | "remote";
    readonly quality: QualityScore;
  }>,
  callId: string,
): CallProblemFacts["quality"] {
  const worst: { local: QualityScore; remote: QualityScore } = { local: 2, remote: 2 };
  for (const { callId: streamCallId, direction, quality } of streams) {
    if (streamCallId === callId && quality < worst[direction]) worst[direction] = quality;
  }
  return worst;
}
