/** The own microphone and camera in a conference: combines the person's wishes with the admins' mutes and informs tab and server. */
import { type DeviceState, isOpenState } from "../../../shared/domain/device-states.ts";
import type { NoticeKey } from "../../../shared/domain/notice-texts.ts";
import type { CaptureSources } from "../../../shared/protocol/confr-publish.ts";
import { CONFR_END } from "../../../shared/protocol/confr-signalling.ts";
import { RESULT, OP } from "../../../shared/protocol/signalling.ts";
import type { OwnerCommand } from "../media-owner/contracts.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import type { ConferenceConfig } from "./config.ts";
import type { ConferenceRecord } from "./kept.ts";
import type { Model } from "./model.ts";
import { ADMIN } from "./rules.ts";
import type { Answer } from "./session.ts";
import type { ConferenceRequest } from "./session.ts";
import { PUBLISH_REFUSED } from "./texts.ts";

type Silencer = "all" | "one";
const SILENCED = { all: "conference.all-muted", one: "conference.one-muted" } as const;
/** What the person turns on or off. */
export interface LocalWish {
  readonly audioMuted?: boolean | undefined;
  readonly videoOff?: boolean | undefined;
}
type Kind = "audio" | "video";
export interface CaptureStates {
  readonly audio: DeviceState;
  readonly video: DeviceState;
}

export interface Local {
  /**
   * Applies what the person turned on or off. A device that is turned on is opened again if it had failed. With `again` and nothing turned
   * on, this holds for both devices.
   */
  set(part: LocalWish, again?: boolean): void;
  /**
   * Applies the admins' mutes of the slice to the microphone. Lifting a mute restores the earlier state (docs/conferences.md#mute). Nobody
   * can mute an admin; the microphone of a new admin stays muted until the person turns it on.
   */
  followMutes(): void;
  /** Without publishing both devices are off, and they stay off until the person turns one on. */
  publishing(on: boolean): void;
  /** These devices are off until the person turns them on. */
  close(kinds: readonly Kind[]): void;
  /** The owner tab reported the states of its devices. */
  captured(states: CaptureStates): void;
  /** Another tab owns the media from now on. */
  ownerChanged(): void;
  /** Sends the current state to the owner tab, and to the server, for the other members, if it changed. */
  sendState(): void;
  flags(): { readonly voff: 0 | 1; readonly aoff: 0 | 1 };
  /** Whether a device is on; null while the owner's device states are not settled. */
  readonly sends: boolean | null;
  /** Whether a wanted device has neither opened nor failed yet. */
  readonly pending: boolean;
  reset(): void;
}

export function createLocal(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly config: Pick<ConferenceConfig, "promptMillis">;
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly toTab: (command: OwnerCommand) => void;
  readonly ask: (request: ConferenceRequest) => Promise<Answer>;
  /** Where the tab gets sound and picture from; undefined: from devices. */
  readonly sources: () => CaptureSources | undefined;
  /** The rtcId of the own camera stream; null when it has none. */
  readonly rtcId: () => string | null;
  /** A device is or stays off, although the person wants it. */
  readonly onRefused: (why: NoticeKey) => void;
  /** The devices that can be sent may have changed. */
  readonly onCaptured: () => void;
}): Local {
  const { model, record } = deps;
  const local = () => model.slice.local;
  const silencers = new Set<Silencer>();
  /** The microphone's state before an admin muted it; null once the person has decided again. */
  let before: boolean | null = null;
  /** The device states of the current owner; null at first, so that a device that opens within `promptMillis` is never shown as off. */
  let settled: CaptureStates | null = null;
  let prompt: Timer | null = null;

  /** The flags last sent to the server for a connection. The server's echo comes later. */
  let said: { readonly rtcId: string; readonly voff: 0 | 1; readonly aoff: 0 | 1 } | null = null;

  const flags = (): { voff: 0 | 1; aoff: 0 | 1 } => {
    const { audioMuted, videoOff } = local();
    const noCamera = settled !== null && settled.video !== "on";
    const noMicrophone = settled !== null && settled.audio !== "on";
    return { voff: videoOff || noCamera ? 1 : 0, aoff: audioMuted || noMicrophone ? 1 : 0 };
  };
  function sendState(retry: readonly Kind[] = []): void {
    const { audioMuted, audioOff, videoOff, publishing } = local();
    const sources = deps.sources();
    deps.toTab({
      t: "local",
      audioMuted,
      audioOff: audioOff || !publishing,
      videoOff: videoOff || !publishing,
      ...(sources === undefined ? {} : { sources }),
      ...(retry.length > 0 ? { retry: [...retry] } : {}),
    });
    const rtcId = deps.rtcId();
    const known = model.slice.streams[record.now?.streams["0"] ?? ""];
    if (rtcId === null || known === undefined) return;
    const { voff, aoff } = flags();
    const last = said?.rtcId === rtcId ? said : known;
    if (last.voff === voff && last.aoff === aoff) return;
    const now = { rtcId, voff, aoff };
    said = now;
    void deps.ask({ op: OP.streamControl, ...now }).then(({ result, signal }) => {
      if (result === RESULT.ok || said !== now) return;
      said = null;
      const endReason = signal?.op === OP.response ? signal.endReason : undefined;
      if (endReason === CONFR_END.tooManyVideos) {
        put({ videoOff: true });
        deps.onRefused(PUBLISH_REFUSED[endReason] ?? "conference.pub-failed");
      } else if (result === RESULT.notAllowed && aoff === 0) {
        put({ audioMuted: true });
        deps.onRefused("conference.muted");
      }
    });
  }
  function put(
    part: { audioMuted?: boolean; audioOff?: boolean; videoOff?: boolean; publishing?: boolean },
    retry: readonly Kind[] = [],
  ): void {
    const next = { ...local(), ...part };
    model.patch({ local: next });
    const { audioMuted, audioOff, videoOff, publishing } = next;
    record.patch({ audioMuted, audioOff, videoOff, publishing });
    sendState(retry);
  }
  const settle = (states: CaptureStates): void => {
    prompt?.cancel();
    prompt = null;
    settled = states;
    sendState();
    deps.onCaptured();
  };

  function silence(by: Silencer, on: boolean): void {
    if (on) {
      if (silencers.has(by)) return;
      before ??= local().audioMuted;
      silencers.add(by);
      if (!local().audioMuted && local().publishing && !local().audioOff)
        deps.onRefused(
          by === "all" && model.slice.mayUnmute ? "conference.all-hushed" : SILENCED[by],
        );
      return put({ audioMuted: true });
    }
    if (!silencers.delete(by) || silencers.size > 0 || before === null) return;
    const back = before;
    before = null;
    put({ audioMuted: back });
  }

  return {
    set({ audioMuted, videoOff }, again = false) {
      const { muteAll, mayUnmute, mutedByAdmin } = model.slice;
      const mayNot = mutedByAdmin || (muteAll && !mayUnmute);
      if (audioMuted === false && silencers.size > 0 && mayNot) {
        deps.onRefused("conference.muted");
        audioMuted = undefined;
        again = false;
      }
      if (audioMuted !== undefined) before = null;
      const turnedOn: Kind[] = [
        ...(audioMuted === false ? (["audio"] as const) : []),
        ...(videoOff === false ? (["video"] as const) : []),
      ];
      put(
        {
          ...(audioMuted === undefined ? {} : { audioMuted }),
          ...(audioMuted === false ? { audioOff: false } : {}),
          ...(videoOff === undefined ? {} : { videoOff }),
        },
        turnedOn.length > 0 || !again ? turnedOn : ["audio", "video"],
      );
    },
    followMutes() {
      const { self, muteAll, mutedByAdmin } = model.slice;
      if (self?.role === ADMIN) {
        silencers.clear();
        before = null;
        return;
      }
      silence("all", muteAll && self?.free !== true);
      silence("one", mutedByAdmin);
    },
    publishing(on) {
      put({ publishing: on, ...(on ? {} : { audioOff: true, videoOff: true }) });
    },
    close(kinds) {
      put({
        ...(kinds.includes("audio") ? { audioOff: true } : {}),
        ...(kinds.includes("video") ? { videoOff: true } : {}),
      });
    },
    captured(states) {
      const { audio: microphone, video: camera } = states;
      model.patch({ local: { ...local(), microphone, camera } });
      if (settled !== null || (microphone !== "asking" && camera !== "asking")) {
        settle(states);
        return;
      }
      prompt ??= deps.env.clock.after(deps.config.promptMillis, () => {
        prompt = null;
        const { microphone: audio, camera: video } = local();
        settle({ audio, video });
      });
    },
    ownerChanged() {
      prompt?.cancel();
      prompt = null;
      settled = null;
    },
    sendState: () => sendState(),
    flags,
    get sends() {
      return settled === null ? null : isOpenState(settled.audio) || isOpenState(settled.video);
    },
    get pending() {
      const { microphone, camera, publishing, audioOff, videoOff } = local();
      const isOpening = (state: DeviceState): boolean => state === "off" || state === "asking";
      return (
        publishing && ((!audioOff && isOpening(microphone)) || (!videoOff && isOpening(camera)))
      );
    },
    reset() {
      prompt?.cancel();
      prompt = null;
      settled = null;
      silencers.clear();
      before = null;
      said = null;
    },
  };
}
