/** Each row of the table of problems, and which of two is shown. */
import { describe, expect, it } from "vitest";
import {
  CALL_PROBLEMS,
  type CallProblem,
  type CallProblemFacts,
  callProblemOf,
  callProblemText,
  deviceErrorOf,
  worstScores,
} from "./call-problems.ts";
import { deviceErrorRow } from "./device-errors.ts";
import { DEVICE_CAUSES } from "./device-states.ts";

const well: CallProblemFacts = {
  connection: "connected",
  offline: false,
  blocked: false,
  microphone: "on",
  camera: "on",
  noData: { local: false, remote: false },
  picture: { local: "full", remote: "full" },
  quality: { local: 2, remote: 2 },
};

const ROWS: readonly (readonly [CallProblem, Partial<CallProblemFacts>])[] = [
  ["offline", { offline: true }],
  ["blocked", { blocked: true }],
  ["restoring", { connection: "restarting" }],
  ["unstable", { connection: "weak" }],
  ["microphone", { microphone: "denied" }],
  ["ownSilent", { noData: { local: true, remote: false } }],
  ["peerSilent", { noData: { local: false, remote: true } }],
  ["ownPictureOff", { picture: { local: "off", remote: "full" } }],
  ["peerPictureOff", { picture: { local: "full", remote: "off" } }],
  ["ownPictureSmall", { picture: { local: "small", remote: "full" } }],
  ["peerPictureSmall", { picture: { local: "full", remote: "small" } }],
  ["bothWeak", { quality: { local: 1, remote: 1 } }],
  ["ownWeak", { quality: { local: 1, remote: 2 } }],
  ["peerWeak", { quality: { local: 2, remote: 0 } }],
  ["camera", { camera: "busy" }],
];

it("A call that is well has no line", () => {
  expect(callProblemOf(well)).toBeNull();
  expect(
    callProblemOf({ ...well, connection: "connecting", microphone: "off", camera: "asking" }),
  ).toBe(null);
});

describe("a row", () => {
  it.each(ROWS)("%s is what these facts show", (problem, facts) => {
    expect(callProblemOf({ ...well, ...facts })).toBe(problem);
  });

  it("stands in the table for each problem", () => {
    expect(Object.keys(CALL_PROBLEMS)).toEqual(ROWS.map(([problem]) => problem));
  });

  it.each(ROWS)("%s says in both languages what happens and what to do", (problem, facts) => {
    const { text, en } = callProblemText(problem, { ...well, ...facts });
    expect(text).toMatch(/请|可/u);
    expect(en.split(/[.;] /u).length).toBeGreaterThan(1);
  });

  it("that is more urgent wins over each later one", () => {
    for (const [index, [problem, facts]] of ROWS.entries()) {
      for (const [, later] of ROWS.slice(index + 1)) {
        const both = { ...well, ...later, ...facts };
        expect(callProblemOf(both)).toBe(problem);
      }
    }
  });
});

describe("a device", () => {
  const devices = (["microphone", "camera"] as const).flatMap((device) =>
    DEVICE_CAUSES.map((cause) => [device, cause] as const),
  );

  it.each(devices)(
    "%s %s has the words of its row in the table of device errors",
    (device, cause) => {
      const facts = { ...well, [device]: cause };
      expect(callProblemOf(facts)).toBe(device);
      const row = deviceErrorRow(device, cause);
      expect(deviceErrorOf(device, facts)).toBe(row);
      const { text, en } = callProblemText(device, facts);
      expect(text).toBe(
        `${row.what.zh}，对方${device === "camera" ? "看" : "听"}不到您。${row.advice.zh}`,
      );
      expect(en).toContain(row.what.en);
      expect(en).toContain(row.advice.en);
    },
  );

  it("that is refused is allowed at the place that this browser has for it", () => {
    const text = callProblemText("camera", { ...well, camera: "revoked" }, "firefox");
    expect(text.text).toBe(
      "摄像头的使用权限已被收回，对方看不到您。请点击地址栏左侧的权限图标，取消对摄像头的“阻止”，再点“重试”",
    );
  });

  it("is no device in the words of another problem", () => {
    expect(deviceErrorOf("offline", { ...well, microphone: "busy" })).toBeNull();
  });
});

it("The worst score of each direction counts, of this call alone", () => {
  const streams = [
    { callId: "c1", direction: "local", quality: 2 },
    { callId: "c1", direction: "local", quality: 1 },
    { callId: "c0", direction: "remote", quality: 0 },
  ] as const;
  expect(worstScores(streams, "c1")).toEqual({ local: 1, remote: 2 });
});
