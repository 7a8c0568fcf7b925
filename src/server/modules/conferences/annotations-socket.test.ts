/** Twenty people draw over one stream at the same time, over real sockets. */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  applyBoardChanges,
  type BoardChange,
  boardOf,
  copyOfBoard,
  emptyBoard,
  type MarkChange,
} from "../../../shared/domain/annotations.ts";
import { boardCopySchema } from "../../../shared/protocol/confr-annotations.ts";
import { confrServerSchema } from "../../../shared/protocol/confr-signalling.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { type TestHost, until } from "../../host.harness.ts";
import { GATHER_MS } from "./annotations.ts";
import { AV, offerText } from "./conference.harness.ts";
import { join, type Joined, startHost, ticket } from "./host.harness.ts";
import type { FakeNode } from "./node.fake.ts";

const PEOPLE = Array.from({ length: 20 }, (_, index) => `draws${index}`);
const PIECES = 25;
let host: TestHost & { readonly node: FakeNode };
beforeAll(async () => {
  host = await startHost({}, PEOPLE);
}, 60_000);
afterAll(() => host.close());

const KNOWS = { res: { ops: [OP.message, OP.annotate] } };
const eventsOf = (member: Joined) =>
  member.frames.flatMap((frame) => {
    const signal = confrServerSchema.safeParse(frame).data;
    return signal?.op === OP.annotate ? [signal] : [];
  });
const changesOf = (member: Joined): BoardChange[] =>
  eventsOf(member).flatMap(({ changes }) => changes);
const boardFrom = (member: Joined, streamId: string): string => {
  const board = emptyBoard();
  for (const event of eventsOf(member)) expect(applyBoardChanges(board, event)).toBe(true);
  return JSON.stringify(copyOfBoard(streamId, board));
};

it("Twenty people draw at the same time: all have the same marks in the same order, and so has who comes later; an old client gets nothing and stays", async () => {
  const made = await ticket(host, "zhangwei", {}, "1");
  const confrId = made.confrId ?? "";
  const enter = async (name: string, more: object = KNOWS) =>
    join(host, (await ticket(host, name, { confrId })).ticket, { ...more });
  const owner = await join(host, made.ticket, KNOWS);
  const old = await enter("lina", {});
  const publish = { op: OP.offer, rtcId: "r1", sdp: offerText(AV), pubS: { type: 0 } };
  owner.send({ ...publish, tsxId: "p", sessId: owner.sessId });
  const { streamId } = (await owner.waitForFrame({ op: OP.response, tsxId: "p" })) as {
    streamId: string;
  };
  const people: Joined[] = [];
  for (const name of PEOPLE) people.push(await enter(name));

  // Each draws a line in pieces: all at the same time, one piece in 34 ms.
  const drawPiece = async (member: Joined, index: number, piece: number): Promise<void> => {
    const points = [index * 10, piece * 10, index * 10 + 5, piece * 10];
    const id = `line${index}`;
    const change: MarkChange =
      piece === 0
        ? { t: "add", id, tool: "pen", colour: "#ff3b30", size: 60, points }
        : { t: "extend", id, from: 2 * piece, points };
    const tsxId = `d${piece}`;
    const { sessId } = member;
    member.send({ op: OP.annotate, tsxId, sessId, streamId, changes: [change] });
    expect(await member.waitForFrame({ op: OP.response, tsxId })).toMatchObject({ result: 0 });
  };
  for (let piece = 0; piece < PIECES; piece += 1) {
    await Promise.all(people.map((member, index) => drawPiece(member, index, piece)));
    host.clock.advance(GATHER_MS);
  }

  const all = [owner, ...people];
  const total = PEOPLE.length * PIECES;
  await until("all have all changes", () =>
    all.every((member) => changesOf(member).length === total),
  );
  const orders = new Set(all.map((member) => JSON.stringify(changesOf(member))));
  expect(orders.size).toBe(1);
  const boards = new Set(all.map((member) => boardFrom(member, streamId)));
  expect(boards.size).toBe(1);
  const [board = ""] = boards;
  const { marks } = boardCopySchema.parse(JSON.parse(board));
  expect(marks.map(({ by }) => by).toSorted()).toEqual(PEOPLE.toSorted());
  for (const mark of marks) expect(mark.points).toHaveLength(4 * PIECES);

  const late = await enter("chenjie");
  const [copy] = late.answer["annotations"] as unknown[];
  expect(copyOfBoard(streamId, boardOf(boardCopySchema.parse(copy)))).toEqual(JSON.parse(board));

  expect(old.frames.filter(({ op }) => op === OP.annotate)).toEqual([]);
  expect(old.answer["annotations"]).toBeUndefined();
  old.send({ op: OP.ping, tsxId: "ping", sessId: old.sessId });
  expect(await old.waitForFrame({ op: OP.pong })).toMatchObject({ sessId: old.sessId });
  // The owner got the pieces of all in one message in 34 ms, and the first at once.
  expect(eventsOf(owner).length).toBeLessThanOrEqual(PIECES + 1);
});
