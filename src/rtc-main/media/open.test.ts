import { describe, expect, it } from "vitest";
import type { AppError } from "../../shared/errors.ts";
import type { Kind } from "../engine.ts";
import { FakeDevices } from "./devices.fake.ts";
import { combinedError } from "./errors.ts";
import { openDevices } from "./open.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";

function devices(refuse: Record<string, string>): FakeDevices {
  const made = new FakeDevices();
  made.refuse = refuse;
  return made;
}
/** Opens as a call does: after both failed together the microphone alone, and the camera alone only if that fails too. */
async function open(port: FakeDevices | null, withVideo: boolean) {
  const tracks: MediaStreamTrack[] = [];
  const problems: Partial<Record<Kind, AppError>> = {};
  await openDevices(
    port,
    withVideo ? ["audio", "video"] : ["audio"],
    {
      fallback: () => Promise.resolve({ alone: ["audio", "video"], one: true }),
      ended: () => false,
    },
    {
      opened: (opened) => tracks.push(...opened),
      failed: (kind, error) => (problems[kind] = error),
    },
  );
  return { tracks, problems, notice: problems.audio ?? problems.video ?? null };
}
async function failure(port: FakeDevices | null, withVideo: boolean): Promise<AppError> {
  const { tracks, problems } = await open(port, withVideo);
  if (tracks.length === 0) return combinedError(problems);
  throw new Error("it did not fail");
}

describe("opening devices", () => {
  it("requests both at once with ideal, not exact, constraints", async () => {
    const port = devices({});
    const { tracks, notice } = await open(port, true);
    expect(tracks.map((track) => track.kind)).toEqual(["audio", "video"]);
    expect(notice).toBeNull();
    expect(port.asked).toEqual(["audio+video"]);
  });

  it.each([
    ["NotFoundError", "media.no-device", "没有找到摄像头"],
    ["NotReadableError", "media.device-busy", "摄像头被其他程序占用"],
    ["NotAllowedError", "media.permission-denied", /未允许使用摄像头/],
    ["AbortError", "media.aborted", "打开摄像头时被中断"],
    ["OverconstrainedError", "media.device-unfit", "所选的摄像头不可用"],
    ["WeirdError", "media.open-failed", "摄像头未能打开"],
  ])("falls back to sound alone when the camera says %s", async (name, code, message) => {
    const port = devices({ "audio+video": name, video: name });
    const { tracks, notice } = await open(port, true);
    expect(tracks.map((track) => track.kind)).toEqual(["audio"]);
    expect(port.asked).toEqual(["audio+video", "audio"]);
    expect(notice?.code).toBe(code);
    expect(notice?.message).toMatch(message);
    expect(notice?.details).toMatchObject({
      device: "video",
      text: `open media error. ${name} when get camera`,
    });
  });

  it("falls back to the camera alone when the microphone fails", async () => {
    const port = devices({ "audio+video": "NotFoundError", audio: "NotFoundError" });
    const { tracks, notice } = await open(port, true);
    expect(tracks.map((track) => track.kind)).toEqual(["video"]);
    expect(port.asked).toEqual(["audio+video", "audio", "video"]);
    expect(notice).toMatchObject({
      code: "media.no-device",
      message: "没有找到麦克风，请连接设备，连接后会自动启用",
      details: {
        cause: "missing",
        en: "No microphone was found. Connect one: it starts by itself once it is plugged in",
      },
    });
  });

  it.each([
    ["NotAllowedError", "NotFoundError", "media.permission-denied"],
    ["NotFoundError", "NotReadableError", "media.device-busy"],
    ["NotFoundError", "Odd", "media.open-failed"],
  ])("names what a person can mend: microphone %s, camera %s", async (audio, video, code) => {
    const error = await failure(devices({ "audio+video": audio, audio, video }), true);
    expect(error.code).toBe(code);
  });

  it("opens only the microphone for a voice call", async () => {
    const port = devices({ audio: "NotAllowedError" });
    expect((await failure(port, false)).code).toBe("media.permission-denied");
    expect(port.asked).toEqual(["audio"]);
  });

  it("fails with media.insecure when the browser offers no devices", async () => {
    expect((await failure(null, true)).code).toBe("media.insecure");
  });
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "event.open-media, text.no-input: Opening devices fails with the platform's text when there is neither":
    async () => {
      const all = "NotFoundError";
      const error = await failure(devices({ "audio+video": all, audio: all, video: all }), true);
      expect(error.code).toBe("media.no-device");
      expect(error.details?.["text"]).toBe("getUserMedia error: not have input device");
    },
});
