/** The screen that the person shares from this tab. It is kept until it is stopped here or the person ends the sharing. */
import { deviceErrorRow } from "../../shared/domain/device-errors.ts";
import { nameThisTab, showsTab } from "../media/this-tab.ts";
import type { MediaDeps } from "../deps.ts";
import type { LocalTracks } from "../engine.ts";
import { causeOfError, deviceError } from "../media/errors.ts";
import { type SystemMute, watchSystemMute } from "../media/system-mute.ts";
import type { Tally } from "../tally.ts";

export interface Screen {
  readonly on: boolean;
  /** Whether the system has paused the picture of the screen. */
  readonly paused: boolean;
  /** Whether it shows the very tab that captures it. */
  readonly thisTab: boolean;
  /** Call in a click handler. @returns false when the person declined. @throws AppError media.*, in the words of the table of device errors */
  capture(options: { readonly audio: boolean }): Promise<boolean>;
  tracks(): LocalTracks;
  stop(): void;
  onChange(handler: () => void): () => void;
}

/** Options that lib.dom lacks. They keep the conference's own sound out of a shared tab. */
interface DisplayOptions extends DisplayMediaStreamOptions {
  readonly systemAudio?: "include" | "exclude";
  readonly selfBrowserSurface?: "include" | "exclude";
  readonly surfaceSwitching?: "include" | "exclude";
}

const named = (name: string): Error => Object.assign(new Error(name), { name });

export function createScreen(
  deps: Pick<MediaDeps, "devices" | "clock" | "control">,
  tally: Tally,
): Screen {
  let current: { tracks: LocalTracks; undo: (() => void)[]; pause: SystemMute } | null = null;
  const handlers = new Set<() => void>();
  const changed = (): void => {
    for (const handler of handlers) handler();
  };
  const stop = (): void => {
    const was = current;
    if (was === null) return;
    current = null;
    for (const run of was.undo) run();
    was.pause.close();
    was.tracks.audio?.stop();
    was.tracks.video?.stop();
    changed();
  };
  return {
    get on() {
      return current !== null;
    },
    get paused() {
      return current?.pause.on === true;
    },
    get thisTab() {
      const video = current?.tracks.video ?? null;
      return video !== null && deps.control !== null && showsTab(video, deps.control.handle);
    },
    async capture({ audio }) {
      const ask = deps.devices?.getDisplayMedia;
      if (deps.devices === null) throw deviceError("screen", named("SecurityError"));
      if (ask === undefined) throw deviceError("screen", named("NotSupportedError"));
      const sound = {
        echoCancellation: false,
        noiseSuppression: false,
        autoGainControl: false,
        suppressLocalAudioPlayback: false,
        restrictOwnAudio: true,
      } as MediaTrackConstraints;
      if (deps.control !== null) {
        nameThisTab(deps.devices, deps.control.handle, deps.control.origin);
      }
      let stream: MediaStream;
      try {
        stream = await ask.call(deps.devices, {
          video: { frameRate: { ideal: 15, max: 30 } },
          audio: audio ? sound : false,
          systemAudio: "include",
          // Another member can control this very tab; browsers may leave it out of the choice otherwise.
          selfBrowserSurface: "include",
          surfaceSwitching: "include",
        } as DisplayOptions);
      } catch (error) {
        const failure = deviceError("screen", error);
        // The person closed the browser's dialog, which is not an error.
        if (deviceErrorRow("screen", causeOfError(failure)).silent) return false;
        throw failure;
      }
      stop();
      const [video = null] = stream.getVideoTracks();
      const [sounds = null] = stream.getAudioTracks();
      if (video === null) throw deviceError("screen", named("NotFoundError"));
      video.contentHint = "detail";
      current = {
        tracks: { audio: sounds, video },
        undo: [
          tally.open("tracks"),
          tally.listen(video, "ended", stop),
          // The person shares another tab by the same capture.
          tally.listen(video, "capturehandlechange", changed),
        ],
        pause: watchSystemMute({ clock: deps.clock, tally }, video, changed),
      };
      changed();
      return true;
    },
    tracks: () => current?.tracks ?? { audio: null, video: null },
    stop,
    onChange(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
}
