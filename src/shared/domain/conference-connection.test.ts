/** The events of a connection that come from silences and from a session that was lost (docs/conferences.md#silence). */
import { describe, expect, it } from "vitest";
import {
  type ConferenceConnectionEvent,
  conferenceConnectionGuards,
  conferenceConnectionTable,
} from "./conference-connection.ts";
import {
  CONFERENCE_CONNECTION_STATES,
  type ConferenceConnectionState,
} from "./conference-states.ts";
import { step } from "./machine.ts";

const RESTART = ["askRestart", "restartWaitTimer"];

/** What the event does in each state in which it does something. */
function doings(type: ConferenceConnectionEvent["type"]) {
  const context = { rebuilds: 0, maxRebuilds: 3, reachable: true };
  const found = CONFERENCE_CONNECTION_STATES.flatMap((from: ConferenceConnectionState) => {
    const { rule, to, effects } = step(
      conferenceConnectionTable,
      conferenceConnectionGuards,
      from,
      context,
      { type },
    );
    return rule < 0 ? [] : [[from, [to, ...effects]] as const];
  });
  return Object.fromEntries(found);
}

describe("A connection", () => {
  it("that is silent becomes weak, and one that is weak or restarts stays so", () => {
    expect(doings("silent")).toEqual({ connected: ["weak", "restartTimer"] });
  });

  it("has its whole time again with each step of its negotiation, and only while it negotiates", () => {
    expect(doings("progress")).toEqual({
      connecting: ["connecting", "buildTimer"],
      restarting: ["restarting", "restartWaitTimer"],
    });
  });

  it("restarts when the network changed, but not while it restarts", () => {
    expect(doings("changed")).toEqual({
      connected: ["restarting", ...RESTART],
      weak: ["restarting", ...RESTART],
    });
  });

  it("that was weak when the session was lost restarts, and one that restarts asks again", () => {
    expect(doings("resumed")).toEqual({
      weak: ["restarting", ...RESTART],
      restarting: ["restarting", ...RESTART],
    });
  });
});
