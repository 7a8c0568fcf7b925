/** What the quality records of a call of two say of its streams (docs/calls.md#quality-upload). */
import { expect, it } from "vitest";
import { createWorld } from "./call.harness.ts";
import { watchedCall } from "./watched.ts";
import type { CallStore } from "./state.ts";

it("Both sides know a stream by one id, with the name of its member", async () => {
  const world = createWorld();
  const [a, b] = [world.person("ann"), world.person("bob")];
  const starting = a.start("bob", "voice");
  await world.run(100);
  await starting;
  await b.answer();
  await world.run(300);
  const about = (person: typeof a, me: string, caller: boolean) => {
    const calls = { slice: person.call, priv: { caller, me, memId: me } };
    const watched = watchedCall(
      calls as CallStore,
      () => true,
      () => undefined,
    );
    return (["local", "remote"] as const).map((direction) => watched?.about?.("r", direction));
  };
  const streamOf = (end: string, name: string) => ({
    id: `rtc-channel1__${end}`,
    type: 0,
    memName: name,
    memId: name,
  });
  const streams = [streamOf("Caller", "ann"), streamOf("Callee", "bob")];
  expect(about(a, "ann", true)).toMatchObject(streams);
  expect(about(b, "bob", false)).toMatchObject(streams.toReversed());
  await a.hangup();
  await world.run(12_000);
  for (const person of [a, b]) person.calls.stop();
});
