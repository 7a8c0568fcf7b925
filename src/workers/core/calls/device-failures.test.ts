/** Devices that fail while a call is on: what the other side sees, and when they are opened again. */
import { afterEach, describe, expect, it } from "vitest";
import { createWorld, type Person, type World } from "./call.harness.ts";

let world: World;
let people: Person[] = [];
async function connected(): Promise<{ a: Person; b: Person; w: World }> {
  world = createWorld();
  const a = world.person("ann");
  const b = world.person("bob");
  people = [a, b];
  const starting = a.start("bob");
  await world.run(100);
  await starting;
  await b.answer();
  await world.run(300);
  expect([a.call.status, b.call.status]).toEqual(["chat", "chat"]);
  return { a, b, w: world };
}

afterEach(async () => {
  await people[0]?.hangup();
  await world.run(12_000);
  expect(world.clock.pending).toBe(0);
  for (const person of people) person.calls.stop();
});

describe("devices that fail in a call", () => {
  const devices = { t: "opened", hasAudio: true, hasVideo: true } as const;

  it("The other side sees a device that the system silences as one that is off, until it is heard again", async () => {
    const { a, b, w } = await connected();
    a.first.emit({ ...devices, microphone: "system-muted", camera: "on" });
    await w.run(50);
    expect(b.call.remote).toEqual({ audioMuted: true, videoOff: false });
    expect(a.call.local).toMatchObject({ audioMuted: false, microphone: "system-muted" });
    a.first.emit({ ...devices, microphone: "on", camera: "system-muted" });
    await w.run(50);
    expect(b.call.remote).toEqual({ audioMuted: false, videoOff: true });
    a.first.emit({ ...devices, microphone: "on", camera: "on" });
    await w.run(50);
    expect(b.call.remote).toEqual({ audioMuted: false, videoOff: false });
  });

  it("What the person turns on is opened again, and a retry opens both; a mute opens nothing", async () => {
    const { a, w } = await connected();
    await a.setLocal({ audioMuted: true });
    await a.setLocal({ videoOff: false });
    await a.setLocal({ audioMuted: false });
    await a.setLocal({ publish: true });
    await w.run(50);
    expect(a.first.commandsOfType("local").map(({ retry }) => retry)).toEqual([
      undefined,
      ["video"],
      ["audio"],
      ["audio", "video"],
    ]);
  });

  it("The notice of a device has its words in both languages", async () => {
    const { a, w } = await connected();
    const notice = {
      code: "media.permission-denied",
      message: "麦克风的使用权限已被收回",
      retryable: true,
      details: { en: "The permission was taken away" },
    } as const;
    a.first.emit({ ...devices, hasAudio: false, microphone: "revoked", notice });
    await w.run(50);
    expect(a.store.notices.at(-1)).toMatchObject({
      text: notice.message,
      args: { en: "The permission was taken away" },
    });
  });
});
