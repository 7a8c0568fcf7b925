/** Records a voice message from the microphone: its loudness while it runs, and the sound at the end (docs/chat.md#voice). */

/** Kinds that browsers record, the smallest first. */
const KINDS = ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"];
/** ms between two measurements of the loudness. */
const MEASURE_EVERY = 100;
/** Speech is far from full scale: this share of it fills the wave. */
const LOUD = 0.3;

export interface RecordedSound {
  readonly file: Blob;
  /** ms */
  readonly length: number;
}

export interface SoundRecording {
  /** Ends it. @returns null when nothing was recorded */
  finish(): Promise<RecordedSound | null>;
  /** Ends it without a sound. */
  cancel(): void;
}

export const canRecord = (): boolean =>
  "MediaRecorder" in globalThis && "mediaDevices" in navigator;

/** The ending of a file of this kind. */
export const endingOf = (type: string): string =>
  type.startsWith("audio/mp4") ? "m4a" : type.startsWith("audio/ogg") ? "ogg" : "webm";

/**
 * Asks for the microphone and begins.
 *
 * @param onLevel called with the loudness, 0 to 1, and the ms since the beginning
 * @throws DOMException as getUserMedia does
 */
export async function recordSound(
  onLevel: (level: number, elapsed: number) => void,
): Promise<SoundRecording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const kind = KINDS.find((one) => MediaRecorder.isTypeSupported(one));
  const recorder = new MediaRecorder(stream, kind === undefined ? {} : { mimeType: kind });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const samples = new Float32Array(analyser.fftSize);
  const startedAt = performance.now();
  recorder.start();
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, x) => sum + x * x, 0) / samples.length;
    onLevel(Math.min(1, Math.sqrt(power) / LOUD), performance.now() - startedAt);
  }, MEASURE_EVERY);
  const release = (): void => {
    clearInterval(timer);
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  return {
    finish() {
      const length = performance.now() - startedAt;
      return new Promise((resolve) => {
        recorder.onstop = () => {
          release();
          const file = new Blob(parts, { type: recorder.mimeType });
          resolve(file.size === 0 ? null : { file, length });
        };
        recorder.stop();
      });
    },
    cancel() {
      recorder.ondataavailable = null;
      if (recorder.state !== "inactive") recorder.stop();
      release();
    },
  };
}
