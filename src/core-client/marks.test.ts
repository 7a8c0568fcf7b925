/** The marks as a tab shows them, and its port over restarts of the core. */
import { expect, it } from "vitest";
import { boardChangeSchema } from "../shared/protocol/confr-annotations.ts";
import { type MarksEvent, marksEventSchema } from "../shared/protocol/marks-port.ts";
import { createMarks, type MarksChanged } from "./marks.ts";
import { createMarksWatch } from "./marks-watch.ts";
import { readMarksEvent } from "./received.ts";

const MARK = {
  id: "a",
  by: "ann",
  tool: "pen" as const,
  colour: "#ff3b30",
  size: 60,
  points: [1, 1],
};
const EVENTS: MarksEvent[] = [
  { t: "boards", boards: [{ streamId: "s", seq: 1, locked: false, marks: [MARK] }] },
  {
    t: "changes",
    streamId: "s",
    seq: 2,
    changes: [boardChangeSchema.parse({ ...MARK, id: "b", by: "bob", t: "add" })],
  },
  { t: "gone", streamId: "s" },
  { t: "ended" },
];

it("A tab reads every message of the port as its schema does, and nothing else", () => {
  for (const event of EVENTS) {
    expect(marksEventSchema.parse(event)).toEqual(event);
    expect(readMarksEvent(event)).toEqual(event);
  }
  for (const wrong of [
    null,
    1,
    {},
    { t: "boards" },
    { t: "gone" },
    { t: "changes", streamId: "s" },
  ]) {
    expect(marksEventSchema.safeParse(wrong).success).toBe(false);
    expect(readMarksEvent(wrong)).toBeNull();
  }
});

it("Marks are watched while somebody wants them; each change names who made it", () => {
  let emit: (event: MarksEvent) => void = () => undefined;
  let ended = 0;
  let begun = 0;
  const marks = createMarks((onEvent) => {
    begun += 1;
    emit = onEvent;
    return { end: () => void (ended += 1) };
  });
  expect(begun).toBe(0);
  const heard: MarksChanged[] = [];
  const handler = (changed: MarksChanged): void => void heard.push(changed);
  const stops = [marks.subscribe(handler), marks.subscribe(() => undefined)];
  expect(begun).toBe(1);
  const [whole, change, gone] = EVENTS as [MarksEvent, MarksEvent, MarksEvent];
  emit(whole);
  emit(change);
  expect([...marks.board("s").marks.keys()]).toEqual(["a", "b"]);
  expect(heard).toEqual([
    { streamId: "s", by: new Set() },
    { streamId: "s", by: new Set(["bob"]) },
  ]);
  emit(gone);
  expect(marks.board("s").marks.size).toBe(0);
  stops[0]?.();
  expect(ended).toBe(0);
  stops[1]?.();
  expect(ended).toBe(1);
});

it("Each core gets a port, and the tab goes on with the next core when one dies", async () => {
  const ports: MessagePort[] = [];
  let die: () => void = () => undefined;
  const session = async () => ({
    ended: new Promise<void>((resolve) => {
      die = resolve;
    }),
    rpc: {
      conference: {
        async watchMarks({ port }: { port: MessagePort }) {
          ports.push(port);
          return { ok: true, value: null };
        },
      },
    },
  });
  const got: MarksEvent[] = [];
  const watch = createMarksWatch({
    connection: { session: session as never },
    newId: () => "1",
    after: () => ({ cancel: () => undefined }),
  });
  const watching = watch((event) => void got.push(event));
  await expect.poll(() => ports.length).toBe(1);
  ports[0]?.postMessage(EVENTS[0]);
  await expect.poll(() => got.length).toBe(1);
  die();
  await expect.poll(() => ports.length).toBe(2);
  ports[1]?.postMessage(EVENTS[1]);
  await expect.poll(() => got.length).toBe(2);
  expect(got).toEqual(EVENTS.slice(0, 2));
  watching.end();
  for (const port of ports) port.close();
});
