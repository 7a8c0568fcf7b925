/** Getting in and out, and who sees whom. */
import { expect, test } from "../fixtures.ts";

const PASSWORD = "123456";

export function joiningSteps(): void {
  test("Two clients create, join, publish and subscribe, and see and hear each other", async ({
    sdk,
  }) => {
    const lina = await sdk("lina");
    const ops = await sdk("ops");
    const confrId = await lina.host();
    await ops.join(confrId);
    expect(await ops.members()).toEqual(["lina"]);
    await lina.expectEvent("joined", "ops");
    await ops.publish();
    await ops.expectMedia("lina");
    await lina.expectMedia("ops");
  });

  test("A conference with a password lets in who knows it", async ({ sdk }) => {
    const lina = await sdk("lina");
    const ops = await sdk("ops");
    const confrId = await lina.host({ password: PASSWORD });
    await expect(ops.join(confrId, "654321")).rejects.toThrow(/-502|密码不正确/);
    await ops.join(confrId, PASSWORD);
    await ops.expectMedia("lina");
  });

  test("A member leaves, and comes back in the same page", async ({ sdk }) => {
    const lina = await sdk("lina");
    const ops = await sdk("ops");
    const confrId = await lina.host();
    await ops.join(confrId);
    await ops.publish();
    await lina.expectMedia("ops");
    await ops.expectMedia("lina");
    await ops.act("leave");
    await ops.expectEvent("exit", { reason: 0 });
    await lina.expectEvent("exited", expect.objectContaining({ member: "ops" }));
    await lina.expectEvent("stream gone", { member: "ops", type: 0 });
    await ops.join(confrId);
    await ops.publish();
    await ops.expectMedia("lina");
    await lina.expectMedia("ops");
  });

  test("The admin kicks a member", async ({ sdk }) => {
    const lina = await sdk("lina");
    const ops = await sdk("ops");
    const confrId = await lina.host();
    await ops.join(confrId);
    await ops.expectMedia("lina");
    await lina.act("kick", "ops");
    await ops.expectEvent("exit", { reason: 12 });
    await lina.expectEvent("exited", expect.objectContaining({ member: "ops" }));
    expect(await lina.events("exit")).toEqual([]);
  });

  test("joinRoom creates the conference for the first and finds it for the second", async ({
    sdk,
  }) => {
    const lina = await sdk("lina");
    const ops = await sdk("ops");
    const wanted = { roomName: `conference-${Date.now()}`, password: PASSWORD };
    expect(await lina.act("joinRoom", { ...wanted, role: 7 })).toBe(7);
    await lina.publish();
    expect(await ops.act("joinRoom", { ...wanted, role: 1 })).toBe(1);
    await ops.expectMedia("lina");
    await expect(ops.publish()).rejects.toThrow("Audience not allow publish");
  });

  test("A client publishes sound alone, then adds its picture", async ({ sdk }) => {
    const lina = await sdk("lina");
    const ops = await sdk("ops");
    const confrId = await lina.act("create", {});
    const streamId = await lina.publish({ audio: true, video: false });
    await ops.join(confrId);
    await ops.expectMedia("lina", { video: false });
    expect(await ops.received()).toMatchObject([{ voff: 1, aoff: 0, frames: 0, width: 0 }]);
    await lina.act("turn", "Video", streamId, true);
    await ops.expectMedia("lina");
    expect(await ops.received()).toMatchObject([{ streamId, voff: 0, aoff: 0 }]);
  });
}
