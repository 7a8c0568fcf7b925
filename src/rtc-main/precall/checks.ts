/** Checks devices and network one by one before a conference. A failed check says what to do. */
import { deviceCauseOf, deviceErrorRow, lineOf } from "../../shared/domain/device-errors.ts";
import type { DeviceCause } from "../../shared/domain/device-states.ts";
import { MEDIA_BLOCKED } from "../../shared/domain/network-words.ts";
import type { PrecallCheck, RunPrecallChecks } from "../contracts.ts";

export interface PrecallDeps {
  readonly devices: Pick<MediaDevices, "getUserMedia" | "enumerateDevices"> | null;
  readonly createConnection: ((config: RTCConfiguration) => RTCPeerConnection) | null;
  /** Resolves when the signalling server accepts a socket; rejects when it cannot be reached. */
  readonly reachSignalling: (signal: AbortSignal) => Promise<void>;
  /** Round-trip time to the server, ms. */
  readonly roundTrip: (signal: AbortSignal) => Promise<number>;
  /** Resolves after `ms`. */
  readonly wait: (ms: number) => Promise<void>;
  readonly secure: () => boolean;
  readonly codecs: () => readonly string[];
  /** Loudness of a microphone over a short time, 0..1. */
  readonly level: (track: MediaStreamTrack, signal: AbortSignal) => Promise<number>;
  /** Whether the camera delivers a picture within a short time. */
  readonly frames: (track: MediaStreamTrack, signal: AbortSignal) => Promise<boolean>;
}

type Result = Pick<PrecallCheck, "result" | "text">;
type Check = Omit<PrecallCheck, "result" | "text"> & { readonly run: () => Promise<Result> };

const resultWithText = (result: PrecallCheck["result"], zh: string, en: string): Result => ({
  result,
  text: { zh, en },
});
/** ms */
const SLOW = 300;
const GATHER = 3000;
/** 0..1 */
const QUIET = 0.001;

/** In the words that a call and a conference have for it too. */
function wrong(device: "microphone" | "camera", cause: DeviceCause): Result {
  const { zh, en } = lineOf(deviceErrorRow(device, cause));
  return resultWithText("fail", zh, en);
}

export const createPrecallChecks =
  (deps: PrecallDeps): RunPrecallChecks =>
  async ({ signal, onCheck, iceServers = [] }) => {
    const opened: MediaStreamTrack[] = [];
    const open = async (kind: "audio" | "video"): Promise<MediaStreamTrack> => {
      if (deps.devices === null) throw Object.assign(new Error("none"), { name: "SecurityError" });
      const stream = await deps.devices.getUserMedia({ [kind]: true });
      const [track] = stream.getTracks();
      if (track === undefined) throw Object.assign(new Error("none"), { name: "NotFoundError" });
      opened.push(track);
      return track;
    };
    let microphone: MediaStreamTrack | null = null;
    let camera: MediaStreamTrack | null = null;
    const checks: readonly Check[] = [
      {
        id: "browser",
        name: { zh: "浏览器", en: "Browser" },
        run: async () =>
          !deps.secure()
            ? resultWithText(
                "fail",
                "页面不是安全连接 (https)，不能使用设备",
                "The page is not secure (https)",
              )
            : deps.createConnection === null
              ? resultWithText("fail", "浏览器不支持音视频通话", "The browser has no WebRTC")
              : resultWithText("ok", "支持音视频通话", "WebRTC is there"),
      },
      {
        id: "microphone",
        name: { zh: "麦克风", en: "Microphone" },
        run: async () => {
          try {
            microphone = await open("audio");
            return resultWithText("ok", microphone.label || "可用", microphone.label || "There");
          } catch (error) {
            return wrong("microphone", deviceCauseOf(error));
          }
        },
      },
      {
        id: "level",
        name: { zh: "声音输入", en: "Sound input" },
        run: async () => {
          if (microphone === null)
            return resultWithText("fail", "没有可用的麦克风", "No microphone");
          const level = await deps.level(microphone, signal);
          if (microphone.muted) return { ...wrong("microphone", "system-muted"), result: "warn" };
          return level < QUIET
            ? resultWithText(
                "warn",
                "没有听到声音，请确认麦克风没有静音",
                "Nothing is heard; is it muted?",
              )
            : resultWithText("ok", "能听到声音", "Sound is heard");
        },
      },
      {
        id: "camera",
        name: { zh: "摄像头", en: "Camera" },
        run: async () => {
          try {
            camera = await open("video");
            return resultWithText("ok", camera.label || "可用", camera.label || "There");
          } catch (error) {
            // A conference works without a camera.
            return { ...wrong("camera", deviceCauseOf(error)), result: "warn" };
          }
        },
      },
      {
        id: "frames",
        name: { zh: "画面", en: "Picture" },
        run: async () => {
          if (camera === null) return resultWithText("warn", "没有可用的摄像头", "No camera");
          const moves = await deps.frames(camera, signal);
          if (camera.muted) return { ...wrong("camera", "system-muted"), result: "warn" };
          return moves
            ? resultWithText("ok", "画面正常", "Pictures come")
            : resultWithText(
                "warn",
                "摄像头没有画面，可能被遮挡或占用",
                "No picture comes from the camera",
              );
        },
      },
      {
        id: "speaker",
        name: { zh: "扬声器", en: "Speaker" },
        run: async () => {
          const all = (await deps.devices?.enumerateDevices()) ?? [];
          const found = all.filter(({ kind }) => kind === "audiooutput");
          return found.length > 0
            ? resultWithText("ok", found[0]?.label || "可用", found[0]?.label || "There")
            : resultWithText("warn", "没有发现扬声器或耳机", "No speaker was found");
        },
      },
      {
        id: "codecs",
        name: { zh: "编解码器", en: "Codecs" },
        run: async () => {
          const found = ["VP8", "H264"].filter((name) =>
            deps.codecs().some((type) => type.toLowerCase() === `video/${name.toLowerCase()}`),
          );
          return found.length > 0
            ? resultWithText("ok", found.join("、"), found.join(", "))
            : resultWithText("fail", "没有可用的视频编解码器", "No video codec in common");
        },
      },
      {
        id: "signalling",
        name: { zh: "会议服务", en: "Conference service" },
        run: async () => {
          try {
            await deps.reachSignalling(signal);
            return resultWithText("ok", "可以连接", "It can be reached");
          } catch {
            return resultWithText(
              "fail",
              "连接不上会议服务，请检查网络或代理",
              "It cannot be reached",
            );
          }
        },
      },
      {
        id: "network",
        name: { zh: "网络往返", en: "Round trip" },
        run: async () => {
          try {
            const ms = Math.round(await deps.roundTrip(signal));
            return ms > SLOW
              ? resultWithText("warn", `${ms} 毫秒，可能有延迟`, `${ms} ms, there may be delays`)
              : resultWithText("ok", `${ms} 毫秒`, `${ms} ms`);
          } catch {
            return resultWithText("fail", "无法访问服务器", "The server cannot be reached");
          }
        },
      },
      {
        id: "ice",
        name: { zh: "媒体网络", en: "Media network" },
        run: async () => {
          const found = await gather(deps, iceServers, signal);
          if (found.size === 0) {
            return resultWithText("fail", MEDIA_BLOCKED.zh, MEDIA_BLOCKED.en);
          }
          if (found.has("relay"))
            return resultWithText("ok", "中转服务可用", "The relay can be reached");
          if (found.has("srflx")) return resultWithText("ok", "UDP 可以穿透", "UDP gets through");
          return iceServers.length > 0
            ? resultWithText(
                "warn",
                "连接不上中转服务，跨网络时可能没有画面",
                "Neither relay nor address service answer; media may not get out of this network",
              )
            : resultWithText("ok", "有可用的网络地址", "There are addresses for media");
        },
      },
    ];
    const finished: PrecallCheck[] = [];
    try {
      for (const { run, ...check } of checks) {
        signal.throwIfAborted();
        let result: Result;
        try {
          result = await run();
        } catch {
          result = resultWithText("fail", "检测未能完成", "The check could not be made");
        }
        signal.throwIfAborted();
        const done = { ...check, ...result };
        finished.push(done);
        onCheck(done);
      }
      return finished;
    } finally {
      for (const track of opened) track.stop();
    }
  };

/** Gathers candidates and returns their types: host, srflx, relay. */
async function gather(
  deps: Pick<PrecallDeps, "createConnection" | "wait">,
  iceServers: readonly RTCIceServer[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (deps.createConnection === null) return found;
  const pc = deps.createConnection({ iceServers: [...iceServers] });
  try {
    pc.createDataChannel("check");
    const over = new Promise<void>((resolve) => {
      pc.addEventListener("icecandidate", ({ candidate }) => {
        if (candidate === null) return resolve();
        const kind = / typ (\S+)/.exec(candidate.candidate)?.[1];
        if (kind !== undefined) found.add(kind);
        // A relay candidate is the last type to check for.
        if (kind === "relay") resolve();
      });
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await pc.setLocalDescription(await pc.createOffer());
    await Promise.race([over, deps.wait(GATHER)]);
    return found;
  } finally {
    pc.close();
  }
}
