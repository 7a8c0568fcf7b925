/**
 * A camera and a microphone whose flash and beep come at the same moment, once a second, so that a recording shows whether sound and picture
 * are in step; and what ffprobe and ffmpeg find in the file.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";

const run = promisify(execFile);
/** Runs in each page before its scripts. */
export function flashAndBeep(): void {
  const { mediaDevices } = navigator;
  if (mediaDevices === undefined) return;
  mediaDevices.getUserMedia = async ({ audio, video } = {}) => {
    const tracks: MediaStreamTrack[] = [];
    const context = new AudioContext({ sampleRate: 48_000 });
    await context.resume();
    const out = context.createMediaStreamDestination();
    const tone = new OscillatorNode(context, { frequency: 1000 });
    const gain = new GainNode(context, { gain: 0 });
    tone.connect(gain).connect(out);
    tone.start();
    const canvas = document.createElement("canvas");
    canvas.width = 640;
    canvas.height = 360;
    const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
    let shown = -1;
    let planned = Math.floor(context.currentTime) + 1;
    const draw = (): void => {
      const now = context.currentTime;
      while (planned < now + 0.5) {
        gain.gain.setValueAtTime(0.8, planned);
        gain.gain.setValueAtTime(0, planned + 0.2);
        planned += 1;
      }
      const on = now % 1 < 0.2 && now >= 1;
      const step = Math.floor(now * 30);
      if (step === shown) return;
      shown = step;
      pen.fillStyle = on ? "#fff" : "#000";
      pen.fillRect(0, 0, 640, 360);
      pen.fillStyle = "#444";
      pen.fillRect(step % 640, 350, 10, 10);
    };
    setInterval(draw, 10);
    draw();
    if (audio !== undefined && audio !== false) tracks.push(...out.stream.getAudioTracks());
    if (video !== undefined && video !== false) {
      tracks.push(...canvas.captureStream(30).getVideoTracks());
    }
    return new MediaStream(tracks);
  };
}

/** What ffprobe says of a file. */
export async function probe(file: string): Promise<{ seconds: number; codecs: string[] }> {
  const { stdout } = await run(
    "ffprobe",
    `-v error -show_entries format=duration:stream=codec_name -of json ${file}`.split(" "),
  );
  const { format, streams } = JSON.parse(stdout) as {
    format: { duration: string };
    streams: { codec_name: string }[];
  };
  return { seconds: Number(format.duration), codecs: streams.map((one) => one.codec_name) };
}

/** Pairs of time and value that a filter printed. */
function valuesIn(text: string): [at: number, value: number][] {
  const found: [number, number][] = [];
  let at = 0;
  for (const line of text.split("\n")) {
    const time = /pts_time:([\d.]+)/.exec(line)?.[1];
    if (time !== undefined) at = Number(time);
    const value = /^lavfi\.[\w.]+=(.+)$/.exec(line)?.[1];
    if (value !== undefined) found.push([at, value === "-inf" ? -200 : Number(value)]);
  }
  return found;
}
/** When the values rise above a threshold, s. */
function rises(values: readonly [number, number][], from: number): number[] {
  return values
    .filter(([, value], i) => value >= from && (values[i - 1]?.[1] ?? from) < from)
    .map(([at]) => at);
}

async function filtered(file: string, kind: "-vf" | "-af", filter: string): Promise<string> {
  const { stdout } = await run(
    "ffmpeg",
    ["-v", "error", "-i", file, kind, filter, "-f", "null", "-"],
    { maxBuffer: 256 * 1024 * 1024 },
  );
  return stdout;
}

/** The moments of all flashes and beeps, s from the beginning of the file. */
export async function momentsIn(file: string): Promise<{ flashes: number[]; beeps: number[] }> {
  const pictures = valuesIn(
    await filtered(
      file,
      "-vf",
      "scale=160:90,signalstats,metadata=mode=print:key=lavfi.signalstats.YAVG:file=-",
    ),
  );
  const sounds = valuesIn(
    await filtered(
      file,
      "-af",
      "asetnsamples=n=240:p=0,astats=metadata=1:reset=1,ametadata=mode=print:key=lavfi.astats.Overall.RMS_level:file=-",
    ),
  );
  const bright = pictures.map(([, value]) => value);
  const middle = (Math.min(...bright) + Math.max(...bright)) / 2;
  return { flashes: rises(pictures, middle), beeps: rises(sounds, -30) };
}

/** How far each beep is from the nearest flash, s; positive: the beep is late. */
export const offsetsOf = ({ flashes, beeps }: { flashes: number[]; beeps: number[] }): number[] =>
  beeps.flatMap((beep) => {
    const nearest = flashes.toSorted((a, b) => Math.abs(a - beep) - Math.abs(b - beep))[0];
    return nearest === undefined ? [] : [beep - nearest];
  });

/** Plays a file in a page. @returns its length, the size of its picture, and whether its last second can be shown */
export async function playIn(
  page: Page,
  base64: string,
): Promise<{ seconds: number; width: number; height: number; at: number }> {
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const video = document.createElement("video");
    video.muted = true;
    video.src = URL.createObjectURL(new Blob([bytes], { type: "video/webm" }));
    await new Promise((resolve, reject) => {
      video.onloadeddata = resolve;
      video.onerror = () => reject(new Error(video.error?.message));
    });
    video.currentTime = video.duration - 0.5;
    await new Promise((resolve) => {
      video.onseeked = resolve;
    });
    const { duration: seconds, videoWidth: width, videoHeight: height, currentTime: at } = video;
    URL.revokeObjectURL(video.src);
    return { seconds, width, height, at };
  }, base64);
}
