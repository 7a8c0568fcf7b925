import { expect, it } from "vitest";
import type { EffectEvent } from "../../shared/protocol/effects-worker.ts";
import { type Change, flow } from "./flow.ts";

const frame = (name: string) => ({ name, close: () => undefined });
type Frame = ReturnType<typeof frame>;

/** A track of `count` frames through the effect. */
async function run(count: number, prepare: () => Promise<Change<Frame>>) {
  const written: string[] = [];
  const events: EffectEvent[] = [];
  const state = { cancelled: false, closed: false };
  let next = 0;
  const from = new ReadableStream<Frame>(
    {
      pull(controller) {
        next += 1;
        if (next > count) controller.close();
        else controller.enqueue(frame(`f${next}`));
      },
      cancel: () => void (state.cancelled = true),
    },
    { highWaterMark: 0 },
  );
  const to = new WritableStream<Frame>({
    write: ({ name }) => void written.push(name),
    close: () => void (state.closed = true),
  });
  await flow(from, to, prepare, (event) => events.push(event));
  return { written, events, state };
}
const changing = (isSlow: () => boolean = () => false) => ({
  get isSlow() {
    return isSlow();
  },
  change: (one: Frame) => Promise.resolve({ frames: [frame(`${one.name}!`)], ms: 2 }),
});

it("Every frame is changed and written, and the worker says when it runs and what 24 frames took", async () => {
  const { written, events, state } = await run(50, () => Promise.resolve(changing()));
  expect(written).toEqual(Array.from({ length: 50 }, (_, i) => `f${i + 1}!`));
  const spent = { t: "spent", ms: Array.from({ length: 24 }, () => 2) };
  expect(events).toEqual([{ t: "running" }, spent, spent]);
  expect(state).toEqual({ cancelled: false, closed: true });
});

it("An effect that does not keep up stops reading, ends its track and says so", async () => {
  let frames = 0;
  const { written, events, state } = await run(50, () =>
    Promise.resolve(changing(() => (frames += 1) > 5)),
  );
  expect([written.length, events.at(-1)]).toEqual([6, { t: "slow" }]);
  expect(state).toEqual({ cancelled: true, closed: true });
});

it.each([
  ["cannot be prepared", () => Promise.reject(new Error("no model"))],
  [
    "cannot change a frame",
    () => Promise.resolve({ ...changing(), change: () => Promise.reject(new Error("no model")) }),
  ],
])("An effect that %s writes nothing and says why", async (_, prepare) => {
  const { written, events, state } = await run(3, prepare);
  expect([written, events]).toEqual([[], [{ t: "failed", reason: "Error: no model" }]]);
  expect(state).toEqual({ cancelled: true, closed: true });
});
