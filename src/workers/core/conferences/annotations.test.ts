/** Annotations in the core: one flow of changes to the server, and the marks of all to the tabs that watch. */
import { expect, it } from "vitest";
import type { MarkChange } from "../../../shared/domain/annotations.ts";
import type { MarksEvent } from "../../../shared/protocol/marks-port.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { at, joined, type World } from "./conferences.harness.ts";

const T1 = at("t1");
const LINE = { t: "add", tool: "line", colour: "#ff3b30", size: 60, points: [0, 0, 9, 9] } as const;
const line = (id: string): MarkChange => ({ ...LINE, id, points: [...LINE.points] });
const MARK = { id: "a", by: "ann", tool: "pen", colour: "#ff3b30", size: 60, points: [1, 1] };

function createPaperPort() {
  const got: MarksEvent[] = [];
  let closed = false;
  const port = {
    onmessage: null as ((event: { readonly data: unknown }) => void) | null,
    postMessage: (message: unknown) => void got.push(message as MarksEvent),
    close() {
      closed = true;
    },
  };
  return {
    port,
    got,
    get closed() {
      return closed;
    },
  };
}
const messages = (world: World) =>
  world.server.requestsOfOp(OP.annotate) as unknown as {
    streamId: string;
    changes: MarkChange[];
  }[];
const hear = (world: World, frame: object): void =>
  world.server.socket?.receive({ op: OP.annotate, sessId: world.server.sessId, ...frame });

it("The core declares op 312, and sends the changes of all tabs in at most 30 messages a second, in their order", async () => {
  const { world, conferences } = await joined();
  expect(world.server.heard.find(({ op }) => op === OP.enter)).toMatchObject({
    res: { ops: expect.arrayContaining([OP.annotate]) },
  });
  const stream = world.server.publish("ann", "s1");
  const sentAt: number[] = [];
  const drawn: Promise<unknown>[] = [];
  const begin = world.env.clock.now();
  // Two tabs, each a piece every 10 ms for a second.
  for (let step = 0; step < 100; step += 1) {
    for (const tab of ["t1", "t2"]) {
      const change: MarkChange =
        step === 0
          ? ({ ...line(tab), t: "add", tool: "pen", points: [0, 0] } as MarkChange)
          : { t: "extend", id: tab, from: step, points: [step, step] };
      drawn.push(
        conferences.handlers.annotate({ streamId: stream.id, changes: [change] }, at(tab)),
      );
    }
    const before = messages(world).length;
    await world.run(0);
    world.env.clock.advance(10);
    await world.run(0);
    for (let more = before; more < messages(world).length; more += 1) {
      sentAt.push(world.env.clock.now() - begin);
    }
  }
  await world.run(500);
  await Promise.all(drawn);
  const within = (from: number) =>
    sentAt.filter((moment) => moment >= from && moment < from + 1000).length;
  expect(Math.max(...sentAt.map(within))).toBeLessThanOrEqual(30);
  expect(sentAt.length).toBeGreaterThan(20);
  // Nothing is lost, and the pieces of a line are joined.
  for (const tab of ["t1", "t2"]) {
    const points = messages(world).flatMap(({ changes }) =>
      changes.flatMap((change) => ("points" in change && change.id === tab ? change.points : [])),
    );
    expect(points).toEqual(Array.from({ length: 100 }, (_, step) => [step, step]).flat());
  }
});

it("What came too fast is sent again after the wait; other refusals reach the tab in the server's words", async () => {
  const { world, conferences } = await joined();
  const { id: streamId } = world.server.publish("ann", "s1");
  world.server.refuse[OP.annotate] = { result: -405, msg: "标注过于频繁", wait: 500 };
  const drawn = conferences.handlers.annotate({ streamId, changes: [line("a")] }, T1);
  await world.run(100);
  world.server.refuse = {};
  await world.run(300);
  expect(messages(world)).toHaveLength(1);
  await world.run(300);
  await drawn;
  expect(messages(world).map(({ changes }) => changes)).toEqual([[line("a")], [line("a")]]);

  world.server.refuse[OP.annotate] = { result: -405, msg: "该画面已禁止标注" };
  const refused = conferences.handlers
    .annotate({ streamId, changes: [line("b")] }, T1)
    .catch((error: unknown) => error);
  await world.run(100);
  expect(await refused).toMatchObject({ code: "conference.refused", message: "该画面已禁止标注" });
});

it("A tab that watches gets the marks as a whole, then each change, and learns when a stream is gone", async () => {
  const { world, conferences } = await joined();
  world.server.publish("ann", "s1");
  await world.run(100);
  hear(world, { streamId: "s1", seq: 1, changes: [{ ...MARK, t: "add" }] });
  const paper = createPaperPort();
  await conferences.handlers.watchMarks({ port: paper.port }, T1);
  expect(paper.got).toMatchObject([{ t: "boards", boards: [{ streamId: "s1", seq: 1 }] }]);
  hear(world, { streamId: "s1", seq: 2, changes: [{ ...MARK, id: "b", t: "add" }] });
  expect(paper.got.at(-1)).toMatchObject({ t: "changes", seq: 2, changes: [{ id: "b" }] });
  world.server.streams.delete("s1");
  world.server.sendFrame({ op: 303, memId: "ann", pubSId: "s1" });
  await world.run(100);
  expect(paper.got.at(-1)).toEqual({ t: "gone", streamId: "s1" });
  // The tab ends its watch, or is gone.
  paper.port.onmessage?.({ data: { t: "end" } });
  expect(paper.closed).toBe(true);
  const second = createPaperPort();
  await conferences.handlers.watchMarks({ port: second.port }, T1);
  world.closeTab(world.tabs[0]!);
  expect(second.closed).toBe(true);
});

it("After a gap, a lost socket and a restart of the core, the marks are the server's", async () => {
  const { world, conferences } = await joined();
  world.server.publish("ann", "s1");
  const paper = createPaperPort();
  await conferences.handlers.watchMarks({ port: paper.port }, T1);
  const board = (seq: number) => ({ streamId: "s1", seq, locked: false, marks: [MARK] });
  world.server.annotations = [board(5)];
  hear(world, { streamId: "s1", seq: 7, changes: [{ ...MARK, id: "z", t: "add" }] });
  await world.run(100);
  expect(world.server.requestsOfOp(1000).at(-1)).toMatchObject({ annotations: true });
  expect(paper.got.at(-1)).toEqual({ t: "boards", boards: [board(5)] });

  world.server.annotations = [board(9)];
  world.server.socket?.end(1006);
  await world.run(2_000);
  expect(paper.got.at(-1)).toEqual({ t: "boards", boards: [board(9)] });

  // The next core shows nothing until it knows, so the tab keeps what it has.
  conferences.stop();
  expect(paper.got.at(-1)).toEqual({ t: "ended" });
  world.forget();
  const next = world.make();
  const after = createPaperPort();
  const watching = next.handlers.watchMarks({ port: after.port }, T1);
  await world.run(2_000);
  await watching;
  expect(after.got.at(-1)).toEqual({ t: "boards", boards: [board(9)] });
  expect(after.got[0]).toEqual({ t: "boards", boards: [board(9)] });
});
