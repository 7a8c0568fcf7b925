/** Puts tracks into elements. Sound has a separate element, so that it continues when nothing shows the picture. */
import { AppError } from "../../shared/errors.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";
import type { Still } from "./still.ts";

export interface Elements {
  bind(which: "local" | "remote", element: HTMLVideoElement): () => void;
  /** null removes the picture. */
  showVideo(which: "local" | "remote", track: MediaStreamTrack | null): void;
  /** Call before the remote track ends: keeps its last picture, because an ended track shows black. */
  freezeRemote(): void;
  playAudio(track: MediaStreamTrack | null): void;
  /** Plays the sound on this device from now on. Rejects with AppError media.no-device when the browser does not have it. */
  sink(deviceId: string): Promise<void>;
  /** Call in a click handler: plays the sound that autoplay refused. */
  resume(): Promise<void>;
  readonly blocked: boolean;
}

export function createElements(
  deps: Pick<MediaDeps, "createAudioElement" | "createStream" | "freezeFrame" | "report">,
  tally: Tally,
  onBlocked: (blocked: boolean) => void,
): Elements {
  const bound = {
    local: new Map<HTMLVideoElement, () => void>(),
    remote: new Map<HTMLVideoElement, () => void>(),
  };
  const streams: Record<"local" | "remote", MediaStream | null> = { local: null, remote: null };
  const shown: Record<"local" | "remote", MediaStreamTrack | null> = { local: null, remote: null };
  let audio: { element: HTMLAudioElement; track: MediaStreamTrack; close: () => void } | null =
    null;
  let still: Still | null = null;
  let closeStill: () => void = () => undefined;
  let blocked = false;
  let output = "";

  const setBlocked = (value: boolean): void => {
    if (value === blocked) return;
    blocked = value;
    onBlocked(value);
  };

  const attach = (which: "local" | "remote", element: HTMLVideoElement): void => {
    const stream = streams[which];
    if (element.srcObject === stream) return;
    // Remote sound comes from the audio element; own sound is never played.
    element.muted = true;
    element.playsInline = true;
    element.srcObject = stream;
    if (stream === null) return;
    element.play().catch((error: unknown) => {
      // AbortError: another stream was set in the meantime.
      if (!(error instanceof Error && error.name === "AbortError"))
        deps.report(`${which} video does not play: ${String(error)}`);
    });
  };

  const thaw = (): void => {
    still?.stop();
    still = null;
    closeStill();
  };

  const playSound = async (): Promise<void> => {
    const playing = audio;
    if (playing === null) return;
    try {
      await playing.element.play();
      if (audio === playing) setBlocked(false);
    } catch (error) {
      if (audio !== playing) return;
      const name = error instanceof Error ? error.name : "";
      if (name === "NotAllowedError") setBlocked(true);
      else if (name !== "AbortError") deps.report(`sound does not play: ${String(error)}`);
    }
  };

  return {
    bind(which, element) {
      bound[which].get(element)?.();
      const close = tally.open("elements");
      const unbind = (): void => {
        if (bound[which].get(element) !== unbind) return;
        bound[which].delete(element);
        element.srcObject = null;
        close();
      };
      bound[which].set(element, unbind);
      attach(which, element);
      if (which === "remote") still?.refresh();
      return unbind;
    },
    showVideo(which, track) {
      if (shown[which] === track) return;
      shown[which] = track;
      if (which === "remote") thaw();
      streams[which] = track === null ? null : deps.createStream([track]);
      for (const element of bound[which].keys()) attach(which, element);
    },
    freezeRemote() {
      if (still !== null) return;
      for (const element of bound.remote.keys()) {
        still = deps.freezeFrame(element);
        if (still !== null) break;
      }
      if (still === null) return;
      closeStill = tally.open("tracks");
      streams.remote = still.stream;
      for (const element of bound.remote.keys()) attach("remote", element);
      still.refresh();
    },
    playAudio(track) {
      if (track === (audio?.track ?? null)) return;
      if (track === null) {
        if (audio !== null) {
          audio.element.srcObject = null;
          audio.element.remove();
          audio.close();
        }
        audio = null;
        setBlocked(false);
        return;
      }
      const element = audio?.element ?? deps.createAudioElement();
      const close = audio?.close ?? tally.open("elements");
      element.srcObject = deps.createStream([track]);
      if (audio === null && output !== "") {
        element.setSinkId?.(output).catch(() => deps.report("the chosen speaker is gone"));
      }
      audio = { element, track, close };
      void playSound();
    },
    async sink(deviceId) {
      try {
        await audio?.element.setSinkId?.(deviceId);
        output = deviceId;
      } catch (cause) {
        throw new AppError("media.no-device", { cause });
      }
    },
    resume: playSound,
    get blocked() {
      return blocked;
    },
  };
}
