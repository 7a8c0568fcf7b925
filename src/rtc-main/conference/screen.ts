/** The screen that the person shares from this tab. It is kept until it is stopped here or the person ends the sharing. */
import type { MediaDeps } from "../deps.ts";
import type { LocalTracks } from "../engines/engine.ts";
import type { Tally } from "../tally.ts";

export interface Screen {
  readonly on: boolean;
  /** Call in a click handler. @returns false when the person declined */
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

export function createScreen(deps: Pick<MediaDeps, "devices">, tally: Tally): Screen {
  let current: { tracks: LocalTracks; undo: (() => void)[] } | null = null;
  const handlers = new Set<() => void>();
  const changed = (): void => {
    for (const handler of handlers) handler();
  };
  const stop = (): void => {
    const was = current;
    if (was === null) return;
    current = null;
    for (const run of was.undo) run();
    was.tracks.audio?.stop();
    was.tracks.video?.stop();
    changed();
  };
  return {
    get on() {
      return current !== null;
    },
    async capture({ audio }) {
      const ask = deps.devices?.getDisplayMedia;
      if (deps.devices === null || ask === undefined) return false;
      const sound = {
        echoCancellation: false,
        noiseSuppression: false,
        autoGainControl: false,
        suppressLocalAudioPlayback: false,
        restrictOwnAudio: true,
      } as MediaTrackConstraints;
      let stream: MediaStream;
      try {
        stream = await ask.call(deps.devices, {
          video: { frameRate: { ideal: 15, max: 30 } },
          audio: audio ? sound : false,
          systemAudio: "include",
          surfaceSwitching: "include",
        } as DisplayOptions);
      } catch (error) {
        // The person closed the browser's dialog, which is not an error.
        if (error instanceof Error && error.name === "NotAllowedError") return false;
        throw error;
      }
      stop();
      const [video = null] = stream.getVideoTracks();
      const [sounds = null] = stream.getAudioTracks();
      if (video === null) return false;
      video.contentHint = "detail";
      current = {
        tracks: { audio: sounds, video },
        undo: [tally.open("tracks"), tally.listen(video, "ended", stop)],
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
