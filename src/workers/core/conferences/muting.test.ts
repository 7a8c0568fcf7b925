/** An admin's word about the own microphone, and the server's about the own camera: kept, and told to the person. */
import { describe, expect, it } from "vitest";
import { ADMIN } from "./rules.ts";
import { at, ENTRY, joined, own } from "./conferences.harness.ts";

const T1 = at("t1");
const MUTED = "主持人已将您静音，暂不能打开麦克风";
const FULL = "会议的视频路数已满，未能发布画面";

async function talker(entry = ENTRY) {
  const one = await joined({}, entry);
  one.world.server.tell({ op: 412, memId: "me", role: 3 });
  await one.world.run(100);
  return one;
}

describe("a microphone that an admin has muted", () => {
  it("stays off when the person wants it on, who is told; nothing is sent for it", async () => {
    for (const frame of [
      { op: 412, memId: "me", role: 3, muted: true },
      { op: 402, cattrs: [], cstate: { muteAll: true } },
    ]) {
      const { world, conferences } = await talker();
      world.server.tell(frame);
      await world.run(100);
      expect(world.slice.local.audioMuted).toBe(true);
      const said = world.server.of(400).length;
      await conferences.handlers.setLocal({ audioMuted: false }, T1);
      await world.run(100);
      expect([world.slice.local.audioMuted, world.notices.at(-1)]).toEqual([true, MUTED]);
      expect(world.server.of(400)).toHaveLength(said);
      // the camera is another matter
      await conferences.handlers.setLocal({ audioMuted: false, videoOff: true }, T1);
      expect(world.slice.local).toMatchObject({ audioMuted: true, videoOff: true });
    }
  });

  it("is muted from the first moment for one who comes back, and one who becomes an admin may turn it on", async () => {
    const { world, conferences } = await talker();
    world.server.tell({ op: 412, memId: "me", role: 3, muted: true });
    await world.run(100);
    expect(world.slice.mutedByAdmin).toBe(true);
    world.server.tell({ op: 412, memId: "me", role: ADMIN, muted: false });
    await world.run(100);
    expect(world.slice).toMatchObject({ mutedByAdmin: false, local: { audioMuted: true } });
    await conferences.handlers.setLocal({ audioMuted: false }, T1);
    expect(world.slice.local.audioMuted).toBe(false);
    // an admin whose role ends while all are muted is one of all
    world.server.tell({ op: 402, cattrs: [], cstate: { muteAll: true } });
    await world.run(100);
    expect(world.slice.local.audioMuted).toBe(false);
    world.server.tell({ op: 412, memId: "me", role: 3 });
    await world.run(100);
    expect(world.slice.local.audioMuted).toBe(true);
  });

  it("is muted as the server says where it refuses what this side did not know of", async () => {
    const { world, conferences } = await talker({ ...ENTRY, audioMuted: true });
    world.server.refuse[400] = { result: -405, msg: "主持人已将您静音" };
    await conferences.handlers.setLocal({ audioMuted: false }, T1);
    await world.run(100);
    expect([world.slice.local.audioMuted, world.notices.at(-1)]).toEqual([true, MUTED]);
  });
});

describe("a camera for which there is no place", () => {
  it("stays off, and the person is told why (23)", async () => {
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
