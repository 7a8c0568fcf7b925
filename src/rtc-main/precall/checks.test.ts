import { expect, it } from "vitest";
import { deviceErrorRow, ERROR_NAMES, lineOf } from "../../shared/domain/device-errors.ts";
import type { PrecallCheck } from "../contracts.ts";
import { FakeConnection } from "../connections/connection.fake.ts";
import { FakeDevices } from "../media/devices.fake.ts";
import { createPrecallChecks, type PrecallDeps } from "./checks.ts";

const candidate = (type: string): string => `candidate:1 1 udp 1 10.0.0.1 9 typ ${type}`;

function setUp(over: Partial<PrecallDeps> = {}, addresses: readonly string[] = ["host"]) {
  const devices = new FakeDevices();
  devices.list = [{ kind: "audiooutput", deviceId: "default", label: "Speakers" }];
  const connections: FakeConnection[] = [];
  const controller = new AbortController();
  const reported: PrecallCheck[] = [];
  const checks = createPrecallChecks({
    devices: devices as unknown as NonNullable<PrecallDeps["devices"]>,
    createConnection(config) {
      const made = Object.assign(new FakeConnection(config), { createDataChannel: () => null });
      connections.push(made);
      queueMicrotask(() => {
        for (const type of addresses) made.find(candidate(type));
        made.find(null);
      });
      return made as unknown as RTCPeerConnection;
    },
    reachSignalling: () => Promise.resolve(),
    roundTrip: () => Promise.resolve(20),
    wait: () => new Promise(() => {}),
    secure: () => true,
    codecs: () => ["video/VP8", "video/h264"],
    level: () => Promise.resolve(0.2),
    frames: () => Promise.resolve(true),
    ...over,
  });
  const run = (iceServers: readonly RTCIceServer[] = []) =>
    checks({
      signal: controller.signal,
      onCheck: (check) => void reported.push(check),
      iceServers,
    });
  const results = (all: readonly PrecallCheck[]) =>
    Object.fromEntries(all.map(({ id, result }) => [id, result]));
  return { devices, connections, controller, reported, run, results };
}

it("The ten checks run in order, each is reported at once with both texts, and all devices are closed", async () => {
  const { devices, connections, reported, run, results } = setUp();
  const all = await run();
  expect(all).toEqual(reported);
  expect(results(all)).toEqual({
    browser: "ok",
    microphone: "ok",
    level: "ok",
    camera: "ok",
    frames: "ok",
    speaker: "ok",
    codecs: "ok",
    signalling: "ok",
    network: "ok",
    ice: "ok",
  });
  for (const { name, text } of all) {
    expect([name.zh, name.en, text.zh, text.en].every((word) => word !== "")).toBe(true);
  }
  expect(devices.tracks.every(({ stopped }) => stopped)).toBe(true);
  expect(connections.every(({ closed }) => closed)).toBe(true);
});

it.each<[string, Partial<PrecallDeps>, Record<string, string>]>([
  ["an insecure page", { secure: () => false }, { browser: "fail" }],
  ["a browser without WebRTC", { createConnection: null }, { browser: "fail", ice: "fail" }],
  [
    "no devices at all",
    { devices: null },
    { microphone: "fail", level: "fail", camera: "warn", frames: "warn", speaker: "warn" },
  ],
  ["a muted microphone", { level: () => Promise.resolve(0) }, { level: "warn" }],
  ["a covered camera", { frames: () => Promise.resolve(false) }, { frames: "warn" }],
  ["no codec in common", { codecs: () => ["video/AV1"] }, { codecs: "fail" }],
  [
    "no signalling",
    { reachSignalling: () => Promise.reject(new Error("closed")) },
    { signalling: "fail" },
  ],
  ["a slow network", { roundTrip: () => Promise.resolve(900) }, { network: "warn" }],
  ["no network", { roundTrip: () => Promise.reject(new Error("down")) }, { network: "fail" }],
  [
    "a check that breaks",
    { level: () => Promise.reject(new Error("no audio context")) },
    { level: "fail" },
  ],
])("%s is found, and the other checks go on", async (_, over, expected) => {
  const { run, results } = setUp(over);
  const all = await run();
  expect(all).toHaveLength(10);
  const found = results(all);
  expect(found).toMatchObject(expected);
  const others = Object.entries(found).filter(([id]) => !(id in expected));
  expect(others.every(([, result]) => result === "ok")).toBe(true);
});

it.each(Object.entries(ERROR_NAMES))(
  "A device that fails with %s is reported in the words of its row in the table of device errors",
  async (name, cause) => {
    const { devices, run } = setUp();
    devices.refuse = { audio: name, video: name };
    const all = await run();
    for (const [id, device, result] of [
      ["microphone", "microphone", "fail"],
      ["camera", "camera", "warn"],
    ] as const) {
      const text = lineOf(deviceErrorRow(device, cause));
      expect(all.find((one) => one.id === id)).toMatchObject({ result, text });
    }
  },
);

it.each([
  ["level", 0, "microphone"],
  ["frames", 1, "camera"],
] as const)(
  "A device that the system silences is reported by the check of its %s",
  async (id, at, device) => {
    const { devices, run } = setUp({
      level: () => Promise.resolve(devices.tracks[at]?.silence(true)).then(() => 0.2),
      frames: () => Promise.resolve(devices.tracks[at]?.silence(true)).then(() => true),
    });
    const text = lineOf(deviceErrorRow(device, "system-muted"));
    expect((await run()).find((one) => one.id === id)).toMatchObject({ result: "warn", text });
  },
);

it("An abort ends the checks at once and closes the devices", async () => {
  const { devices, controller, reported, run } = setUp({
    frames() {
      controller.abort();
      return Promise.resolve(true);
    },
  });
  await expect(run()).rejects.toThrow();
  expect(reported.map(({ id }) => id)).toEqual(["browser", "microphone", "level", "camera"]);
  expect(devices.tracks.every(({ stopped }) => stopped)).toBe(true);
});

it.each([
  [[], [], "fail"],
  [["host"], [], "ok"],
  [["host"], [{ urls: "turn:t" }], "warn"],
  [["host", "srflx"], [{ urls: "stun:t" }], "ok"],
  [["host", "relay"], [{ urls: "turn:t" }], "ok"],
] as const)("addresses %j by servers %j: %s", async (addresses, servers, result) => {
  const { connections, run, results } = setUp({}, addresses);
  expect(results(await run(servers))["ice"]).toBe(result);
  expect(connections[0]?.config.iceServers).toEqual(servers);
});
