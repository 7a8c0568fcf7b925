import { expect, it, vi } from "vitest";
import type { MediaHost, MediaHostState } from "../../rtc-main/index.ts";
import { createLateMediaHost } from "./late-media.ts";

const OWNING: MediaHostState = {
  owning: true,
  callId: "c1",
  autoplayBlocked: false,
  localVideo: false,
  mutedVoice: false,
  screenPaused: false,
  remoteVideo: true,
};

function world(starts: number) {
  const log: string[] = [];
  const host = {
    connect: (port: MessagePort) => log.push(`connect ${String(port)}`),
    claim: () => ({ callId: "c1" }),
    bindVideo: (which: string) => {
      log.push(`bind ${which}`);
      return () => log.push(`unbind ${which}`);
    },
    captureScreen: () => Promise.resolve(true),
    getState: () => OWNING,
    subscribe: () => () => undefined,
    dispose: () => log.push("dispose"),
  } as unknown as MediaHost;
  let failures = starts;
  const start = vi.fn(() => {
    failures -= 1;
    return failures < 0 ? Promise.resolve(host) : Promise.reject(new Error("no network"));
  });
  const late = createLateMediaHost({ start, hasConnections: () => true });
  return { log, start, late };
}
const port = (name: string) => name as unknown as MessagePort;
const element = {} as HTMLVideoElement;

it("A tab owns no media before the code is loaded, and the core's latest port gets to it afterwards", async () => {
  const { late, log, start } = world(0);
  late.connect(port("first"));
  late.connect(port("second"));
  expect([late.claim(), late.getState().owning, start.mock.calls.length]).toEqual([null, false, 0]);
  const heard = vi.fn();
  late.subscribe(heard);
  await Promise.all([late.load(), late.load()]);
  expect([log, start.mock.calls.length]).toEqual([["connect second"], 1]);
  expect(heard).toHaveBeenCalledOnce();
  expect(late.getState()).toBe(OWNING);
  expect(late.claim()).toEqual({ callId: "c1" });
  late.connect(port("third"));
  expect(log).toEqual(["connect second", "connect third"]);
});

it("A video that is bound early is shown once the code is there, unless it was removed before", async () => {
  const { late, log } = world(0);
  const removed = late.bindVideo("local", element);
  const kept = late.bindVideo("remote", element);
  removed();
  await late.load();
  expect(log).toEqual(["bind remote"]);
  kept();
  expect(log).toEqual(["bind remote", "unbind remote"]);
});

it("A command waits for the code, and a failed load is tried again", async () => {
  const { late, start } = world(1);
  await expect(late.load()).rejects.toThrow("no network");
  expect(await late.captureScreen({ audio: false })).toBe(true);
  expect(start).toHaveBeenCalledTimes(2);
});

it("What is disposed while it loads ends at once", async () => {
  const { late, log } = world(0);
  const loading = late.load();
  late.dispose();
  await loading;
  expect(log).toEqual(["dispose"]);
});
