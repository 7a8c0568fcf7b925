import { describe, expect, it } from "vitest";
import { createSilences, SILENCE_TIMINGS } from "./silences.ts";

function world() {
  let now = 0;
  const events: string[] = [];
  const silences = createSilences(
    {
      env: { clock: { now: () => now } },
      config: SILENCE_TIMINGS,
      hurry: () => events.push("ping"),
      replaceSocket: () => events.push("replace"),
    },
    { changed: () => events.push("changed"), moved: () => events.push("moved") },
  );
  const at = (ms: number, run: () => unknown): void => {
    now = ms;
    run();
  };
  const taken = (): string[] => events.splice(0);
  return { silences, at, taken };
}

describe("Silences", () => {
  it("A silence pings, and ICE restarts when the session comes back over another socket", () => {
    const { silences, at, taken } = world();
    at(10_000, () => silences.silent());
    expect(taken()).toEqual(["ping"]);
    at(10_400, () => silences.resumed());
    expect(taken()).toEqual(["changed"]);
  });

  it("A silence that ended before the session came back restarts nothing", () => {
    const { silences, at, taken } = world();
    at(10_000, () => silences.silent());
    at(10_050, () => silences.heard());
    at(10_400, () => silences.resumed());
    expect(taken()).toEqual(["ping"]);
  });

  it("A silence right after the session came back restarts ICE and pings, because the network may have changed again", () => {
    const { silences, at, taken } = world();
    at(10_000, () => silences.resumed());
    at(11_000, () => silences.silent());
    expect(taken()).toEqual(["ping", "changed"]);
    at(11_500, () => silences.resumed());
    expect(taken()).toEqual(["changed"]);
  });

  it("Other addresses right after the session came back build the connections again, and once more if the socket is replaced", () => {
    const { silences, at, taken } = world();
    at(10_000, () => silences.resumed());
    at(11_000, () => silences.moved());
    expect(taken()).toEqual(["ping", "moved"]);
    at(11_500, () => silences.resumed());
    expect(taken()).toEqual(["moved"]);
  });

  it("Other addresses replace a socket that is not new", () => {
    const { silences, at, taken } = world();
    at(10_000, () => silences.moved());
    expect(taken()).toEqual(["replace"]);
    at(10_300, () => silences.resumed());
    expect(taken()).toEqual(["moved"]);
  });

  it("A weak network gets at most two pings in the pause, the second over another socket", () => {
    const { silences, at, taken } = world();
    at(10_000, () => silences.silent());
    at(10_500, () => silences.silent());
    expect(taken()).toEqual(["ping"]);
    at(11_000, () => silences.resumed());
    at(14_000, () => silences.silent());
    expect(taken()).toEqual(["changed", "ping"]);
    at(14_500, () => silences.resumed());
    at(18_000, () => silences.silent());
    expect(taken()).toEqual(["changed"]);
    at(20_000, () => silences.silent());
    expect(taken()).toEqual(["ping"]);
  });
});
