/** Roles, mute, requests, attributes and messages. */
import { expect, test } from "../fixtures.ts";
import { meeting } from "./meeting.ts";

const AUDIENCE = 1;
const TALKER = 3;
const ADMIN = 7;

export function managingSteps(): void {
  test("The admin mutes all, and the server passes on no sound until the mute ends", async ({
    sdk,
  }) => {
    const { lina, ops } = await meeting(sdk);
    await lina.act("muteAll", true);
    await ops.expectEvent("mute all");
    await lina.expectEvent("flags", { member: "ops", voff: 0, aoff: 1 });
    const [before] = await lina.received();
    await lina.expectMedia("ops", { audio: false });
    // A few packets may have been on their way.
    expect((await lina.received())[0]?.audioPackets).toBeLessThan((before?.audioPackets ?? 0) + 5);
    expect(await lina.events("mute all")).toEqual([]);
    await lina.act("muteAll", false);
    await ops.expectEvent("unmute all");
    await lina.expectMedia("ops");
  });

  test("The admin mutes one member, and takes it back", async ({ sdk }) => {
    const { lina, ops } = await meeting(sdk);
    await lina.act("mute", "ops", true);
    await ops.expectEvent("muted");
    await lina.expectEvent("flags", { member: "ops", voff: 0, aoff: 1 });
    await lina.act("mute", "ops", false);
    await ops.expectEvent("unmuted");
    await lina.expectEvent("flags", { member: "ops", voff: 0, aoff: 0 });
    await lina.expectMedia("ops");
  });

  test("The admin makes a speaker audience, and speaker again", async ({ sdk }) => {
    const { lina, ops } = await meeting(sdk);
    await lina.act("degrade", "ops", AUDIENCE);
    await ops.expectEvent("role", AUDIENCE);
    await lina.expectEvent("stream gone", { member: "ops", type: 0 });
    // Others keep their roles.
    expect(await lina.events("role")).toEqual([]);
    await expect(ops.publish()).rejects.toThrow("Audience not allow publish");
    await ops.expectMedia("lina");
    await lina.act("grant", "ops", TALKER);
    await ops.expectEvent("role", TALKER);
    await ops.publish();
    await lina.expectMedia("ops");
  });

  test("A member asks for the roles of speaker and admin, is refused and granted", async ({
    sdk,
  }) => {
    const { lina, ops } = await meeting(sdk);
    await lina.act("degrade", "ops", AUDIENCE);
    await ops.expectEvent("role", AUDIENCE);

    await ops.act("request", "Talker");
    await lina.expectEvent("wants to talk", "ops");
    await lina.act("answer", false);
    await ops.expectEvent("talker reply", 1);

    await ops.act("request", "Talker");
    await expect.poll(() => lina.events("wants to talk")).toHaveLength(2);
    await lina.act("answer", true);
    await ops.expectEvent("role", TALKER);

    await ops.act("request", "Admin");
    await lina.expectEvent("wants to be admin", "ops");
    await lina.act("answer", true);
    await ops.expectEvent("role", ADMIN);
    await ops.expectEvent("admin changed");
    // Who answered gets no answer to a request.
    expect(await lina.events("talker reply")).toEqual([]);
  });

  test("Attributes reach who is inside and who comes later, and are removed", async ({ sdk }) => {
    const { lina, ops, confrId } = await meeting(sdk);
    await lina.act("setAttribute", "topic", "drill");
    await ops.expectEvent("attributes", { topic: "drill" });
    await ops.act("leave");
    await ops.expectEvent("exit", { reason: 0 });
    await ops.join(confrId);
    await expect
      .poll(() => ops.events("attributes"))
      .toEqual([{ topic: "drill" }, { topic: "drill" }]);
    await lina.act("setAttribute", "topic", null);
    await ops.expectEvent("attributes", { topic: null });
    await ops.expectMedia("lina");
  });

  test("A message reaches the member, and the sender learns it", async ({ sdk }) => {
    const { lina, ops } = await meeting(sdk);
    await ops.act("send", "lina", "你好");
    await lina.expectEvent("message", { from: "ops", message: "你好" });
  });
}
