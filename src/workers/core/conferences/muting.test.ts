/** A microphone that an admin muted and a camera that the server refused stay off, and the person gets a notice. */
import { describe, expect, it } from "vitest";
import { ADMIN } from "./rules.ts";
import { at, ENTRY, joined, own, type PaperServer } from "./conferences.harness.ts";

const T1 = at("t1");
const MUTED = "主持人已将您静音，暂不能打开麦克风；需要发言时请举手";
const FULL = "会议的视频路数已满，未能发布画面";

async function talker(entry = ENTRY) {
  const one = await joined({}, entry);
  one.world.server.change("me", { role: 3 });
  await one.world.run(100);
  return one;
}

describe("a microphone that an admin has muted", () => {
  it("It stays off when the person turns it on, with a notice and without a frame to the server", async () => {
    for (const mute of [
      (server: PaperServer) => server.change("me", { muted: true }),
      (server: PaperServer) => server.sendFrame({ op: 402, cattrs: [], cstate: { muteAll: true } }),
    ]) {
      const { world, conferences } = await talker();
      mute(world.server);
      await world.run(100);
      expect(world.slice.local.audioMuted).toBe(true);
      const said = world.server.requestsOfOp(400).length;
      await conferences.handlers.setLocal({ audioMuted: false }, T1);
      await world.run(100);
      expect([world.slice.local.audioMuted, world.notices.at(-1)]).toEqual([true, MUTED]);
      expect(world.server.requestsOfOp(400)).toHaveLength(said);
      // The camera is not affected.
      await conferences.handlers.setLocal({ audioMuted: false, videoOff: true }, T1);
      expect(world.slice.local).toMatchObject({ audioMuted: true, videoOff: true });
    }
  });

  it("It stays muted when the member becomes an admin, who may turn it on; a later mute of all holds once the role ends", async () => {
    const { world, conferences } = await talker();
    world.server.change("me", { role: 3, muted: true });
    await world.run(100);
    expect(world.slice.mutedByAdmin).toBe(true);
    world.server.change("me", { role: ADMIN, muted: false });
    await world.run(100);
    expect(world.slice).toMatchObject({ mutedByAdmin: false, local: { audioMuted: true } });
    await conferences.handlers.setLocal({ audioMuted: false }, T1);
    expect(world.slice.local.audioMuted).toBe(false);
    // An admin whose role ends while all are muted is muted too.
    world.server.sendFrame({ op: 402, cattrs: [], cstate: { muteAll: true } });
    await world.run(100);
    expect(world.slice.local.audioMuted).toBe(false);
    world.server.change("me", { role: 3 });
    await world.run(100);
    expect(world.slice.local.audioMuted).toBe(true);
  });

  it("It is muted when the server refuses to unmute it, although this side knew of no mute", async () => {
    const { world, conferences } = await talker({ ...ENTRY, audioMuted: true });
    world.server.refuse[400] = { result: -405, msg: "主持人已将您静音" };
    await conferences.handlers.setLocal({ audioMuted: false }, T1);
    await world.run(100);
    expect([world.slice.local.audioMuted, world.notices.at(-1)]).toEqual([true, MUTED]);
  });
});

describe("a mute of all that people may end for themselves", () => {
  const all = (muteAll: boolean, mayUnmute?: boolean) => ({
    op: 402,
    cattrs: [],
    cstate: { muteAll, ...(mayUnmute === undefined ? {} : { mayUnmute }) },
  });

  it("It turns the microphone off once, says so, and lets the person turn it on", async () => {
    const { world, conferences } = await talker();
    world.server.sendFrame(all(true, true));
    await world.run(100);
    expect([world.slice.local.audioMuted, world.notices.at(-1)]).toEqual([
      true,
      "主持人已将全员静音，您可以自行解除静音",
    ]);
    await conferences.handlers.setLocal({ audioMuted: false }, T1);
    world.server.change("me", { free: true });
    await world.run(100);
    expect(world.slice.local.audioMuted).toBe(false);
    expect(world.server.requestsOfOp(400).at(-1)).toMatchObject({ aoff: 0 });
    // Now they may not: the microphone is off, and stays off.
    world.server.sendFrame(all(true));
    await world.run(100);
    await conferences.handlers.setLocal({ audioMuted: false }, T1);
    expect([world.slice.self?.free, world.slice.local.audioMuted, world.notices.at(-1)]).toEqual([
      undefined,
      true,
      MUTED,
    ]);
    // The end of the mute brings back what was before it.
    world.server.sendFrame(all(false));
    await world.run(100);
    expect(world.slice.local.audioMuted).toBe(false);
  });

  it("An admin lets one person speak while all others stay muted", async () => {
    const { world, conferences } = await talker();
    world.server.sendFrame(all(true));
    await world.run(100);
    world.server.change("me", { free: true });
    await world.run(100);
    expect(world.slice.local.audioMuted).toBe(false);
    await conferences.handlers.setLocal({ audioMuted: true }, T1);
    await conferences.handlers.setLocal({ audioMuted: false }, T1);
    expect(world.slice.local.audioMuted).toBe(false);
  });
});

describe("a camera beyond the limit of pictures", () => {
  it("It stays off, and a notice gives the reason (end reason 23)", async () => {
    const { world, conferences } = await talker({ ...ENTRY, videoOff: true });
    expect(own(world)).toMatchObject({ voff: 1 });
    world.server.refuse[400] = { result: -504, endReason: 23, msg: "会议视频路数已达上限" };
    await conferences.handlers.setLocal({ videoOff: false }, T1);
    await world.run(100);
    expect([world.slice.local.videoOff, world.notices.at(-1)]).toEqual([true, FULL]);
    delete world.server.refuse[400];
    await conferences.handlers.setLocal({ videoOff: false }, T1);
    await world.run(100);
    expect([world.slice.local.videoOff, own(world)?.voff]).toEqual([false, 0]);
  });
});

describe("what the person hears of a mute", () => {
  it.each([
    ["one", "主持人已将您静音", (s: PaperServer) => s.change("me", { muted: true })],
    [
      "all",
      "主持人已开启全员静音，您的麦克风已关闭；需要发言时请举手",
      (s: PaperServer) => s.sendFrame({ op: 402, cattrs: [], cstate: { muteAll: true } }),
    ],
  ])("A notice says once who muted a microphone that was on: %s", async (_by, text, mute) => {
    const { world } = await talker();
    const before = world.notices.length;
    mute(world.server);
    await world.run(100);
    mute(world.server);
    await world.run(100);
    expect(world.notices.slice(before)).toEqual([text]);
    const quiet = await talker({ ...ENTRY, audioMuted: true });
    const heard = quiet.world.notices.length;
    mute(quiet.world.server);
    await quiet.world.run(100);
    expect(quiet.world.notices).toHaveLength(heard);
  });
});
