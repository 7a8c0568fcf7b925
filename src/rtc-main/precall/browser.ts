/** The pre-call checks with the browser's dependencies. */
import { CONFR_PATH } from "../../shared/protocol/confr-signalling.ts";
import type { RunPrecallChecks } from "../contracts.ts";
import { createPrecallChecks } from "./checks.ts";
import { firstFrame } from "./first-frame.ts";

/** LISTEN: ms to listen to the microphone. WAIT: longest wait for the camera or the signalling server, ms. */
const LISTEN = 800;
const WAIT = 3000;
const TRIES = 3;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function level(track: MediaStreamTrack, signal: AbortSignal): Promise<number> {
  const context = new AudioContext();
  try {
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    let loudest = 0;
    const end = Date.now() + LISTEN;
    while (Date.now() < end && !signal.aborted) {
      analyser.getFloatTimeDomainData(samples);
      for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample));
      await after(50);
    }
    return loudest;
  } finally {
    await context.close();
  }
}

async function frames(track: MediaStreamTrack): Promise<boolean> {
  const video = document.createElement("video");
  video.muted = true;
  video.srcObject = new MediaStream([track]);
  const seen = firstFrame(video);
  try {
    await video.play().catch(() => undefined);
    return await Promise.race([seen, after(WAIT).then(() => false)]);
  } finally {
    video.srcObject = null;
  }
}

function reachSignalling(server: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${server.replace(/^http/, "ws")}${CONFR_PATH}`);
    const timer = setTimeout(() => end(reject), WAIT);
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
      socket.close();
    };
    socket.addEventListener("open", () => end(resolve));
    socket.addEventListener("error", () => end(reject));
  });
}

async function roundTrip(server: string, signal: AbortSignal): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i += 1) {
    const began = performance.now();
    const answer = await fetch(`${server}/healthz`, { cache: "no-store", signal });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

export const runPrecallChecks: RunPrecallChecks = ({ server = location.origin, ...options }) =>
  createPrecallChecks({
    devices: (navigator.mediaDevices as MediaDevices | undefined) ?? null,
    createConnection:
      typeof RTCPeerConnection === "undefined" ? null : (config) => new RTCPeerConnection(config),
    reachSignalling: () => reachSignalling(server),
    roundTrip: (signal) => roundTrip(server, signal),
    wait: after,
    secure: () => isSecureContext,
    codecs: () =>
      RTCRtpReceiver.getCapabilities("video")?.codecs.map(({ mimeType }) => mimeType) ?? [],
    level,
    frames,
  })(options);
