/**
 * A small camera with two frames per second, and a microphone, in place of the browser's: for tests of many people on one machine, and for
 * those that measure what else a page does while its camera runs.
 */

function useSmallDevices(hums: boolean): void {
  const { mediaDevices } = navigator;
  if (mediaDevices === undefined) return;
  mediaDevices.getUserMedia = async ({ audio, video } = {}) => {
    const tracks: MediaStreamTrack[] = [];
    if (video !== undefined && video !== false) {
      const canvas = Object.assign(document.createElement("canvas"), { width: 160, height: 90 });
      const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
      let step = 0;
      const draw = (): void => {
        step += 1;
        pen.fillStyle = `hsl(${(step * 37) % 360} 60% 50%)`;
        pen.fillRect(0, 0, 160, 90);
      };
      setInterval(draw, 500);
      draw();
      tracks.push(...canvas.captureStream(2).getVideoTracks());
    }
    if (audio !== undefined && audio !== false && hums) {
      const context = new AudioContext({ sampleRate: 48_000, latencyHint: "playback" });
      await context.resume();
      const out = context.createMediaStreamDestination();
      const tone = new OscillatorNode(context, { frequency: 300 });
      tone.connect(new GainNode(context, { gain: 0.2 })).connect(out);
      tone.start();
      tracks.push(...out.stream.getAudioTracks());
    } else if (audio !== undefined && audio !== false) {
      // It never gets data, so it costs no thread, as an audio context would.
      tracks.push(new MediaStreamTrackGenerator({ kind: "audio" }));
    }
    return new MediaStream(tracks);
  };
}

/** @returns a script for a page to run before its own. Without `hums` the microphone is open and silent. */
export const smallDevices = (hums: boolean): string => `(${useSmallDevices.toString()})(${hums})`;
