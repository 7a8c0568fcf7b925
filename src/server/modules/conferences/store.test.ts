/** A conference is read from its row, whatever another build has stored there. */
import { expect, it } from "vitest";
import { recordOf } from "./store.ts";

type Row = Parameters<typeof recordOf>[0];
const row = (state: unknown): Row => ({
  id: "conference",
  type: 10,
  caller: "ann",
  callee: null,
  createdAt: new Date(0),
  activeAt: new Date(0),
  endedAt: null,
  endReason: null,
  companyId: null,
  name: "",
  roomName: null,
  passwordHash: null,
  limits: {},
  rec: false,
  recMerge: false,
  liveCfg: null,
  vcodes: [],
  state,
  callId: null,
  callMedia: null,
  callGroup: null,
  callRecorded: false,
});

it("A part of the state that cannot be read costs none of the others", () => {
  const state = {
    roles: { bob: "a role of a later build" },
    cattrs: [{ key: "topic", val: "fire drill" }],
    muteAll: true,
    mayUnmute: "perhaps",
    muted: ["bob"],
  };
  expect(recordOf(row(state)).kept).toEqual({
    roles: {},
    cattrs: [{ key: "topic", val: "fire drill" }],
    muteAll: true,
    muted: ["bob"],
  });
});

it.each([null, {}, "nonsense"])("The state %j is that of a new conference", (state) => {
  const kept = { roles: {}, cattrs: [], muteAll: false, muted: [] };
  expect(recordOf(row(state)).kept).toEqual(kept);
});
