import { expect } from "vitest";
import { rowChecks } from "../../../shared/row-checks.harness.ts";
import { at, createConferenceWorld, ENTRY, errorOf, joined } from "./conferences.harness.ts";

const T1 = at("t1");

/** Rows of the conference catalogue (tests/conference/catalogue-tracks.ts). */
export const checks = rowChecks({
  "live.rest: An admin adds, lays out and deletes a live stream with the role token alone":
    async () => {
      const { world, conferences } = await joined();
      const { handlers } = conferences;
      await handlers.addLive({ liveCfg: { cdn: "rtmp://cdn/1", audioCfg: { bps: 32 } } }, T1);
      await handlers.updateLive({ liveId: "l1", regions: [{ sid: "s", x: 0 }] }, T1);
      await handlers.deleteLive({ liveId: "l1" }, T1);
      const head = { confrId: "c1", roleToken: "token" };
      expect(world.calls.slice(-3)).toEqual([
        {
          path: "/easemob/rtc/livecfg",
          body: { ...head, liveCfg: { cdn: "rtmp://cdn/1", audioCfg: { bps: 32 } } },
          withoutLogin: true,
        },
        {
          path: "/easemob/rtc/live/layout",
          body: { ...head, liveId: "l1", regions: [{ sid: "s", x: 0 }] },
          withoutLogin: true,
        },
        { path: "/easemob/rtc/delete/live", body: { ...head, liveId: "l1" }, withoutLogin: true },
      ]);
    },

  "live.create: A configuration goes with the request for a mixed conference, and no other kind takes one":
    async () => {
      const liveCfg = { cdn: "rtmp://cdn/1" };
      for (const type of [10, 11, 12, 14] as const) {
        const world = createConferenceWorld();
        world.openTab("t1");
        const { handlers } = world.make();
        const input = { type, name: "n", password: "", limits: {}, liveCfg, ...ENTRY };
        const created = errorOf(handlers.create(input, T1));
        await world.run(400);
        const isMixed = type === 11 || type === 12;
        expect(await created).toBe(isMixed ? "none" : "conference.invalid: not support conf type");
        const bodies = world.calls.map(({ body }) => body);
        if (isMixed) expect(bodies[0]).toMatchObject({ confrType: type, liveCfg });
        else expect(bodies).toEqual([]);
      }
    },

  "live.admin: Only an admin may, and the server's refusal is passed on": async () => {
    const { world, conferences } = await joined();
    world.refuseRest["/livecfg"] = { error: -405, errorMessage: "服务端尚未提供直播混流" };
    await expect(conferences.handlers.addLive({ liveCfg: {} }, T1)).rejects.toMatchObject({
      code: "conference.refused",
      details: { error: -405 },
    });
    world.server.change("me", { role: 3 });
    await world.run(100);
    const calls = world.calls.length;
    for (const asked of [
      conferences.handlers.addLive({ liveCfg: {} }, T1),
      conferences.handlers.updateLive({ liveId: "l1", regions: [] }, T1),
      conferences.handlers.deleteLive({ liveId: "l1" }, T1),
    ]) {
      expect(await errorOf(asked)).toBe("conference.invalid: the role of admin is required");
    }
    expect(world.calls).toHaveLength(calls);
  },
});
