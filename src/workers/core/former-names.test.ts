import { expect, it } from "vitest";
import type { Store } from "./contracts.ts";
import { createFakeEnv } from "./core.fake.ts";
import { CALL_KEY, createCallStore, newCall } from "./calls/state.ts";
import { CONFERENCE_KEY, createKeeper, type KeptConference } from "./conferences/kept.ts";
import { withPresentNames } from "./former-names.ts";

/** What a build stored that called a connection a link. */
const asStoredFormerly = ({ connection, ...rest }: { connection: unknown }): object => ({
  ...rest,
  link: connection,
});

it("A call that an older build stored is read under the present names", async () => {
  const env = createFakeEnv();
  const { slice, priv } = newCall(
    {
      out: true,
      channel: "1",
      callId: "c1",
      type: 1,
      media: "video",
      peer: { userName: "bob", name: "Bob" },
      peerDevice: "",
    },
    { me: "ann", accountId: "a1", device: "ann-pc", beganAt: 1 },
  );
  const connected = { state: "connected", rtcId: "r1" } as const;
  await env.kv.set(CALL_KEY, {
    version: 1,
    ownerEpoch: 2,
    slice: asStoredFormerly({ ...slice, connection: "connected" }),
    priv: asStoredFormerly({ ...priv, connection: connected }),
  });
  const record = await createCallStore({ env, store: {} as Store }).load();
  expect([record?.slice?.connection, record?.priv?.connection]).toEqual(["connected", connected]);
});

it("A conference that an older build stored is read under the present names", async () => {
  const env = createFakeEnv();
  const connections = { self: { rtcId: "r1", sver: 3 } };
  const ticket = { confrId: "1", memName: "ann", tktId: "t", url: "/c", type: "CONFR" } as const;
  const kept: KeptConference = {
    version: 1,
    accountId: "a1",
    me: "ann",
    nickName: "Ann",
    ext: "",
    confrId: "1",
    name: "n",
    type: 10,
    isCreator: true,
    password: "",
    ticket: { ...ticket, timestamp: 1 },
    rtcCfg: { iceServers: [] },
    sessId: null,
    roleToken: null,
    autoSub: true,
    publishing: true,
    pubExt: "",
    audioMuted: false,
    audioOff: false,
    videoOff: false,
    streams: {},
    chosen: {},
    connections: {},
    recording: null,
    startedAt: 1,
    ownerEpoch: 1,
  };
  const { connections: _none, ...rest } = kept;
  await env.kv.set(CONFERENCE_KEY, { ...rest, links: connections });
  expect((await createKeeper(env).load())?.connections).toEqual(connections);
});

it("A field that has its present name stays, and what is no record is left alone", () => {
  const names = { former: "present" };
  expect(withPresentNames({ former: 1, present: 2 }, names)).toEqual({ present: 2 });
  expect(withPresentNames(null, names)).toBeNull();
  expect(withPresentNames(["former"], names)).toEqual(["former"]);
});
