import { expect, test } from "vitest";
import { createFakeEnv } from "../core.fake.ts";
import { createTickets } from "./tickets.ts";

test("A ticket is asked for as by a conference: token in the body, what the browser is, the region and the id", async () => {
  const made = createFakeEnv();
  const env = { ...made, config: { ...made.config, engine: "native", rtcRegion: "cn" } } as const;
  const requests: unknown[] = [];
  const answer = {
    error: 0,
    confrId: "c1",
    type: 13,
    ticket: { confrId: "c1", memName: "me", tktId: "t", url: "/signalling", type: "confr" },
  };
  const tickets = createTickets({
    env,
    http: {
      async provider(request, schema) {
        requests.push(request);
        return schema.parse(answer);
      },
    },
  });
  expect((await tickets.create("me", "lina")).channel).toBe("c1");
  await tickets.join("me", "c1");
  const terminal = { browser: "chrome", browserVersion: 140, userAgent: "UA", version: "test" };
  const _ct = String(env.clock.now());
  expect(requests).toEqual([
    {
      method: "POST",
      path: "/easemob/rtc/req/ticket",
      query: { _ct, REGION: "cn" },
      body: { uid: "me", confrType: 13, callee: "lina", terminal },
      tokenInBody: true,
    },
    {
      method: "POST",
      path: "/easemob/rtc/req/ticket",
      query: { _ct, REGION: "cn", CONFRID: "c1" },
      body: { uid: "me", confrType: 13, confrId: "c1", terminal },
      tokenInBody: true,
    },
  ]);
});
