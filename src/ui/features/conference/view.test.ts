import { describe, expect, it } from "vitest";
import { stream } from "../../../shared/protocol/stream.harness.ts";
import { columnsFor, handsOf, largeOf, placeOf, speakerOf, tilesOf } from "./view.ts";

const member = (memId: string, role: 7 | 3 | 1 = 3) => ({
  memId,
  memName: memId,
  nickName: memId,
  role,
  ext: "",
  acptOps: [],
  vcodes: [],
});

describe("tiles", () => {
  const self = member("me", 7);
  const slice = {
    self,
    members: { b: member("b"), me: self, c: member("c"), watcher: member("watcher", 1) },
    streams: {
      s1: stream("s1", "b"),
      s2: stream("s2", "b", { type: 1 }),
      s3: stream("s3", "me", { type: 1, located: true }),
    },
  };

  it("a shared screen takes the stage until the person sends it back, and a pinned tile stays large", () => {
    const tiles = tilesOf(slice);
    const grid = { layout: "grid", pinned: null, dismissed: [], last: null } as const;
    expect(largeOf(tiles, grid)?.key).toBe("s2");
    expect(largeOf(tiles, { ...grid, dismissed: ["s2"] })).toBeNull();
    expect(largeOf(tiles, { ...grid, pinned: "m:c" })?.key).toBe("m:c");
    // The pinned member left; the screen takes the stage again.
    expect(largeOf(tiles, { ...grid, pinned: "m:gone" })?.key).toBe("s2");
    const silent = tilesOf({ ...slice, streams: { s1: stream("s1", "b") } });
    expect(largeOf(silent, grid)).toBeNull();
    expect(largeOf(silent, { ...grid, layout: "speaker", last: "m:c" })?.key).toBe("m:c");
  });

  it("of several screens the newest takes the stage, and the one that it replaces becomes a small tile", () => {
    const streams = {
      ...slice.streams,
      s5: stream("s5", "c", { type: 1 }),
    };
    const tiles = tilesOf({ ...slice, streams });
    const grid = { layout: "grid", pinned: null, dismissed: [], last: null } as const;
    expect(tiles.slice(0, 2).map(({ key }) => key)).toEqual(["s5", "s2"]);
    expect(largeOf(tiles, grid)?.key).toBe("s5");
    expect(largeOf(tiles, { ...grid, dismissed: ["s5"] })?.key).toBe("s2");
    // b stops and shares again: now its screen is the newest.
    const { s2, ...others } = streams;
    expect(largeOf(tilesOf({ ...slice, streams: { ...others, s2 } }), grid)?.key).toBe("s2");
    expect(largeOf(tilesOf({ ...slice, streams: others }), grid)?.key).toBe("s5");
  });

  it("hands come in the order in which they were raised", () => {
    const members = { b: { ...member("b"), hand: 9 }, me: self, c: { ...member("c"), hand: 4 } };
    expect(handsOf(members).map(({ memId }) => memId)).toEqual(["c", "b"]);
  });

  it("screens come first, oneself next, and audience without a stream has no tile", () => {
    expect(tilesOf(slice).map((tile) => [tile.key, tile.kind, tile.stream?.id ?? null])).toEqual([
      ["s2", "screen", "s2"],
      ["m:me", "camera", null],
      ["m:b", "camera", "s1"],
      ["m:c", "camera", null],
    ]);
  });

  it("a screen is large, else the talking member, who stays large in silence", () => {
    const tiles = tilesOf({ ...slice, streams: { s1: stream("s1", "b") } });
    expect(speakerOf(tilesOf(slice), null)?.key).toBe("s2");
    expect(speakerOf(tiles, null)?.key).toBe("m:b");
    const talking = tilesOf({
      ...slice,
      streams: { s1: stream("s1", "b"), s4: stream("s4", "c", { talking: true }) },
    });
    expect(speakerOf(talking, "m:b")?.key).toBe("m:c");
    expect(speakerOf(tiles, "m:c")?.key).toBe("m:c");
    expect(speakerOf([], null)).toBeNull();
  });

  it("the grid fills the box", () => {
    const wide = { width: 1280, height: 720 };
    expect([1, 2, 4, 9, 16].map((count) => columnsFor(count, wide))).toEqual([1, 1, 2, 3, 4]);
    expect(columnsFor(2, { width: 900, height: 300 })).toBe(2);
    expect(columnsFor(4, { width: 400, height: 800 })).toBe(1);
    // On a phone 30 tiles would be too narrow to read a name.
    expect(columnsFor(30, { width: 800, height: 190 })).toBe(7);
    expect(columnsFor(30, { width: 100, height: 600 })).toBe(1);
  });

  it("a last row of the grid that is not full stands in the middle", () => {
    const places = (count: number, columns: number): string[] =>
      Array.from({ length: count }, (_, index) => placeOf(index, count, columns));
    expect(places(3, 2)).toEqual(["span 2", "span 2", "2 / span 2"]);
    expect(places(5, 3)).toEqual(["span 2", "span 2", "span 2", "2 / span 2", "span 2"]);
    expect(places(4, 3).at(-1)).toBe("3 / span 2");
    expect(new Set([...places(4, 2), ...places(3, 1)])).toEqual(new Set(["span 2"]));
  });
});
