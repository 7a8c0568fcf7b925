/** The board of marks: what each change does, and that server, core and tab agree whatever arrives twice, late or after a copy. */
import { describe, expect, it } from "vitest";
import { seededRandom } from "../mutate.harness.ts";
import { boardChangeSchema, markChangeSchema } from "../protocol/confr-annotations.ts";
import {
  applyBoardChanges,
  applyMarkChange,
  type Board,
  type BoardChange,
  boardOf,
  copyOfBoard,
  colourOf,
  emptyBoard,
  lastMarkOf,
  MARK_COLOURS,
  MARK_LIMITS,
  type MarkChange,
  mergeChanges,
} from "./annotations.ts";

const add = (id: string, by = "ann", points = [0, 0]): BoardChange => ({
  t: "add",
  id,
  by,
  tool: "pen",
  colour: "#ff3b30",
  size: 60,
  points,
});
const pointsOf = (board: Board, id: string) => board.marks.get(id)?.points;

describe("A change of the marks", () => {
  it("adds, extends, erases and clears, and a second time does nothing", () => {
    const board = emptyBoard();
    const extension: BoardChange = {
      t: "extend",
      id: "a",
      by: "ann",
      from: 1,
      points: [5, 5, 6, 6],
    };
    expect(applyMarkChange(board, add("a"))).toBe(true);
    expect(applyMarkChange(board, extension)).toBe(true);
    expect([applyMarkChange(board, add("a")), applyMarkChange(board, extension)]).toEqual([
      false,
      false,
    ]);
    // Sent again with more: only what is new counts.
    const longer: BoardChange = { ...extension, points: [5, 5, 6, 6, 7, 7] };
    expect(applyMarkChange(board, longer)).toBe(true);
    expect(pointsOf(board, "a")).toEqual([0, 0, 5, 5, 6, 6, 7, 7]);
    // Points before it are missing.
    expect(applyMarkChange(board, { ...extension, from: 9 })).toBe(false);
    expect(applyMarkChange(board, { t: "erase", ids: ["a"], by: "bob" })).toBe(false);
    expect(applyMarkChange(board, { ...extension, by: "bob", from: 4 })).toBe(false);
    expect(applyMarkChange(board, { t: "erase", ids: ["a"], by: "ann" })).toBe(true);
    expect(applyMarkChange(board, { t: "erase", ids: ["a"], by: "ann" })).toBe(false);
    applyMarkChange(board, add("b", "bob"));
    expect(applyMarkChange(board, { t: "clear", by: "owner" })).toBe(true);
    expect(board.marks.size).toBe(0);
    expect(applyMarkChange(board, { t: "lock", on: true, by: "owner" })).toBe(true);
    expect(board.locked).toBe(true);
  });

  it("keeps the order in which the server got the marks, and undo finds the own newest one", () => {
    const board = emptyBoard();
    for (const change of [add("a"), add("b", "bob"), add("c")]) applyMarkChange(board, change);
    expect([...board.marks.keys()]).toEqual(["a", "b", "c"]);
    expect([lastMarkOf(board, "ann"), lastMarkOf(board, "bob"), lastMarkOf(board, "eve")]).toEqual([
      "c",
      "b",
      null,
    ]);
  });

  it("gives the same board from any copy and from all later messages, also those that it has already", () => {
    const random = seededRandom(28);
    const people = ["ann", "bob", "eve"];
    const server = emptyBoard();
    const log: BoardChange[] = [];
    for (let step = 0; step < 400; step += 1) {
      const by = people[Math.floor(random() * people.length)] ?? "ann";
      const own = lastMarkOf(server, by);
      const kind = random();
      const change: BoardChange =
        own === null || kind < 0.3
          ? add(`m${step}`, by, [step, step])
          : kind < 0.9
            ? {
                t: "extend",
                id: own,
                by,
                from: (pointsOf(server, own) ?? []).length / 2,
                points: [step, step, step + 1, step],
              }
            : kind < 0.99
              ? { t: "erase", ids: [own], by }
              : { t: "clear", by };
      if (!applyMarkChange(server, change)) continue;
      server.seq += 1;
      log.push(change);
    }
    const expected = JSON.stringify(copyOfBoard("s", server));
    for (const at of [0, 1, 100, log.length]) {
      const early = emptyBoard();
      applyBoardChanges(early, { seq: at, changes: log.slice(0, at) });
      const late = boardOf(JSON.parse(JSON.stringify(copyOfBoard("s", early))));
      // The messages overlap what the copy has.
      for (let from = Math.max(0, at - 10); from < log.length; from += 7) {
        const changes = log.slice(from, from + 7);
        expect(applyBoardChanges(late, { seq: from + changes.length, changes })).toBe(true);
      }
      expect(JSON.stringify(copyOfBoard("s", late))).toBe(expected);
    }
  });

  it("reports a gap and applies nothing", () => {
    const board = emptyBoard();
    expect(applyBoardChanges(board, { seq: 3, changes: [add("a")] })).toBe(false);
    expect(board).toEqual(emptyBoard());
  });
});

it("Extensions that follow each other become one, up to the limit of a change", () => {
  const piece = (from: number, count: number): MarkChange => ({
    t: "extend",
    id: "a",
    from,
    points: Array.from({ length: 2 * count }, () => 1),
  });
  const limit = MARK_LIMITS.changePoints;
  expect(mergeChanges([piece(1, 2), piece(3, 4), { t: "erase", ids: ["b"] }, piece(7, 1)])).toEqual(
    [piece(1, 6), { t: "erase", ids: ["b"] }, piece(7, 1)],
  );
  expect(mergeChanges([piece(1, limit), piece(1 + limit, 1)])).toHaveLength(2);
  // Not in a row.
  expect(mergeChanges([piece(1, 2), piece(9, 1)])).toHaveLength(2);
});

it("A person has the same colour everywhere, and people differ", () => {
  expect(colourOf("lina")).toBe(colourOf("lina"));
  const colours = new Set(Array.from({ length: 40 }, (_, index) => colourOf(`person${index}`)));
  expect(colours).toEqual(new Set(MARK_COLOURS));
});

describe("What a client sends", () => {
  const good = {
    t: "add",
    id: "a",
    tool: "line",
    colour: "#ff3b30",
    size: 60,
    points: [0, 0, 1, 1],
  };
  it.each([
    ["a figure with one point", { ...good, points: [0, 0] }],
    ["a point outside the picture", { ...good, points: [0, 0, 10_001, 1] }],
    ["half a point", { ...good, points: [0, 0, 1] }],
    ["a colour that is none", { ...good, colour: "url(//evil.example)" }],
    ["a text without words", { ...good, tool: "text", points: [0, 0] }],
    ["words of a line", { ...good, text: "x" }],
    ["a long text", { ...good, tool: "text", points: [0, 0], text: "x".repeat(201) }],
    ["a text of two lines", { ...good, tool: "text", points: [0, 0], text: "a\nb" }],
    ["an id that is markup", { ...good, id: "<img>" }],
    ["an unknown change", { ...good, t: "explode" }],
  ])("is refused when it is %s", (_, change) => {
    expect(markChangeSchema.safeParse(change).success).toBe(false);
  });
  it("is taken otherwise, and the server adds who did it", () => {
    expect(markChangeSchema.safeParse(good).success).toBe(true);
    expect(boardChangeSchema.safeParse(good).success).toBe(false);
    expect(boardChangeSchema.safeParse({ ...good, by: "ann" }).success).toBe(true);
  });
});
