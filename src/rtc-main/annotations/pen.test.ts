/** What a person draws: shown at once, sent in few messages, and left to the board of all without a jump. */
import { describe, expect, it } from "vitest";
import {
  applyMarkChange,
  type Board,
  emptyBoard,
  MARK_LIMITS,
  type MarkChange,
} from "../../shared/domain/annotations.ts";
import { FakeClock, settle } from "../clock.fake.ts";
import { createPen, type MarkStyle, PIECE_MS } from "./pen.ts";

const PEN: MarkStyle = { tool: "pen", colour: "#ff3b30", size: 60 };

/** A pen whose server answers only when the test says so. */
function setUp() {
  const clock = new FakeClock();
  const board: Board = emptyBoard();
  const sent: MarkChange[][] = [];
  const errors: unknown[] = [];
  const waiting: { changes: MarkChange[]; answer(error?: Error): void }[] = [];
  let ids = 0;
  const apply = (changes: readonly MarkChange[], by = "ann"): void => {
    for (const change of changes) if (applyMarkChange(board, { ...change, by })) board.seq += 1;
  };
  const pen = createPen({
    after: (ms, run) => clock.after(ms, run),
    newId: () => `m${(ids += 1)}`,
    me: () => "ann",
    board: () => board,
    send(changes) {
      sent.push(changes);
      return new Promise((resolve, reject) => {
        waiting.push({
          changes,
          answer(error) {
            if (error !== undefined) return reject(error);
            apply(changes);
            resolve({ seq: board.seq });
          },
        });
      });
    },
    onError: (error) => errors.push(error),
    onChange: () => undefined,
  });
  return {
    pen,
    board,
    sent,
    errors,
    clock,
    apply,
    /** The server answers all that waits. */
    async answer(error?: Error): Promise<void> {
      for (const one of waiting.splice(0)) one.answer(error);
      await settle();
      pen.boardChanged();
    },
  };
}
/** What is shown: the board without what the pen hides, and the drafts above it. */
const shown = ({ pen, board }: ReturnType<typeof setUp>): string[] => [
  ...[...board.marks.keys()].filter((id) => !pen.hides(id)),
  ...pen.drafts().map(({ id }) => id),
];

describe("A line of the pen", () => {
  it("is sent in pieces of 34 ms that make up the whole line, and is a draft until the board has it", async () => {
    const scene = setUp();
    const { pen, sent, clock, board } = scene;
    pen.begin(PEN, 0, 0);
    for (let step = 1; step <= 100; step += 1) {
      pen.move(step * 10, step * 10);
      clock.pass(10);
    }
    pen.end();
    // A second of drawing.
    expect(sent.length).toBeLessThanOrEqual(1000 / PIECE_MS + 2);
    expect(shown(scene)).toEqual(["m1"]);
    await scene.answer();
    expect(pen.drafts()).toEqual([]);
    expect(shown(scene)).toEqual(["m1"]);
    const points = Array.from({ length: 101 }, (_, step) => [step * 10, step * 10]).flat();
    expect(board.marks.get("m1")).toMatchObject({ by: "ann", tool: "pen", points });
  });

  it("stays a draft while the tab has the answer but not the board", async () => {
    const scene = setUp();
    const { pen, board } = scene;
    pen.begin(PEN, 0, 0);
    pen.end();
    const behind = board.seq;
    await scene.answer();
    // As if the board came later.
    const { seq } = board;
    board.seq = behind;
    pen.begin(PEN, 50, 50);
    pen.end();
    await settle();
    board.seq = seq;
    pen.boardChanged();
    expect(shown(scene).filter((id) => id === "m1")).toHaveLength(1);
  });

  it("goes on in a new mark at the limit of points", async () => {
    const scene = setUp();
    const { pen, board } = scene;
    pen.begin(PEN, 0, 0);
    for (let step = 1; step < MARK_LIMITS.points + 5; step += 1)
      pen.move(step % 2 === 0 ? 0 : 100, 0);
    pen.end();
    await scene.answer();
    const lengths = [...board.marks.values()].map(({ points }) => points.length / 2);
    expect(lengths).toEqual([MARK_LIMITS.points, 6]);
  });

  it("that the server refuses disappears, with one message to the person", async () => {
    const scene = setUp();
    const { pen, clock } = scene;
    pen.begin(PEN, 0, 0);
    for (let step = 1; step <= 20; step += 1) {
      pen.move(step * 10, 0);
      clock.pass(10);
    }
    await scene.answer(new Error("locked"));
    expect(shown(scene)).toEqual([]);
    expect(scene.errors).toHaveLength(1);
    // Nothing more is sent of it.
    const before = scene.sent.length;
    pen.move(900, 900);
    clock.pass(200);
    pen.end();
    expect(scene.sent).toHaveLength(before);
  });
});

describe("Undo and the eraser", () => {
  it("take the own newest mark at once, also before the server has it, and never another's", async () => {
    const scene = setUp();
    const { pen, board } = scene;
    scene.apply([{ t: "add", id: "other", ...PEN, points: [0, 0] }], "bob");
    pen.begin({ ...PEN, tool: "line" }, 0, 0);
    pen.move(50, 50);
    pen.end();
    expect(shown(scene)).toEqual(["other", "m1"]);
    expect(pen.undo()).toBe(true);
    expect(shown(scene)).toEqual(["other"]);
    expect(pen.undo()).toBe(false);
    pen.erase(["other"]);
    await scene.answer();
    expect([...board.marks.keys()]).toEqual(["other"]);
    expect(shown(scene)).toEqual(["other"]);
  });

  it("show the mark again when the server refuses", async () => {
    const scene = setUp();
    scene.apply([{ t: "add", id: "a", ...PEN, points: [0, 0] }]);
    scene.pen.undo();
    expect(shown(scene)).toEqual([]);
    await scene.answer(new Error("no"));
    expect(shown(scene)).toEqual(["a"]);
  });
});

it("A figure is sent when it is whole; a click with its tool, and a text without words, draw nothing", () => {
  const { pen, sent, clock } = setUp();
  pen.begin({ ...PEN, tool: "ellipse" }, 10, 10);
  pen.move(20, 20);
  clock.pass(200);
  expect(sent).toEqual([]);
  pen.move(30, 30);
  pen.end();
  expect(sent).toMatchObject([[{ t: "add", tool: "ellipse", points: [10, 10, 30, 30] }]]);
  pen.begin({ ...PEN, tool: "arrow" }, 10, 10);
  pen.end();
  pen.write(PEN, "   ", 1, 1);
  expect(sent).toHaveLength(1);
  pen.write(PEN, " 3F ", 1, 1);
  expect(sent.at(-1)).toMatchObject([{ t: "add", tool: "text", text: "3F", points: [1, 1] }]);
});
