/** Cut sockets and a dead media process. */
import { expect, test } from "../fixtures.ts";
import { meeting } from "./meeting.ts";
import { mediaProcess } from "../../support/memory.ts";

export function survivingSteps(): void {
  test("A client whose socket is cut for 3 s comes back with its stream", async ({
    sdk,
    relay,
  }) => {
    const lina = await sdk("lina");
    const ops = await sdk("ops", { server: relay.url });
    const confrId = await lina.host();
    await ops.join(confrId);
    await ops.publish();
    await lina.expectMedia("ops");
    await relay.cutFor(3000);
    await ops.expectMedia("lina");
    await lina.expectMedia("ops");
    expect(await lina.members()).toEqual(["ops"]);
    expect([...(await lina.events("exited")), ...(await ops.events("exit"))]).toEqual([]);
  });

  test("The admin ends the conference on leaving it", async ({ sdk }) => {
    const { lina, ops, confrId } = await meeting(sdk);
    await lina.act("close");
    await ops.expectEvent("exit", { reason: 11 });
    await expect.poll(() => lina.events("exit")).toHaveLength(1);
    await expect(ops.join(confrId)).rejects.toThrow(/server_refuse|结束|over|not exist|不存在/);
  });
}

/** @param limit ms from the death of the media process until both sides have sound and a moving picture */
export function mediaDeathStep(limit: number): void {
  test("Two clients publish again under the same ids each time the media process is killed", async ({
    sdk,
    server,
  }) => {
    const { lina, ops } = await meeting(sdk);
    const ids = async () => {
      const received = await Promise.all([lina.received(), ops.received()]);
      return received.flatMap((streams) => streams.map(({ streamId }) => streamId));
    };
    const before = await ids();
    // The package comes back after a second death only if it is asked otherwise than after the first.
    for (const _ of ["first", "second"]) {
      const dead = mediaProcess(server.pid());
      const at = Date.now();
      process.kill(dead, "SIGKILL");
      await expect.poll(() => mediaProcess(server.pid(), dead), { timeout: limit }).not.toBe(0);
      const seen = [
        lina.expectMedia("ops", { timeout: limit }),
        ops.expectMedia("lina", { timeout: limit }),
      ].map((one) => one.then(() => Date.now() - at));
      const times = await Promise.all(seen);
      console.log(`      moving pictures after ${times.join(" and ")} ms`);
      for (const ms of times) expect(ms).toBeLessThan(limit);
      expect(await ids()).toEqual(before);
    }
    expect([...(await lina.events("exit")), ...(await ops.events("exit"))]).toEqual([]);
  });
}
