import { describe, expect, it } from "vitest";
import { stream } from "../../../shared/protocol/stream.harness.ts";
import { columnsFor, speakerOf, tilesOf } from "./view.ts";

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
    expect([1, 2, 4, 9, 16].map((count) => columnsFor(count, 16 / 9))).toEqual([1, 1, 2, 3, 4]);
    expect(columnsFor(2, 3)).toBe(2);
    expect(columnsFor(4, 0.5)).toBe(1);
  });
});
