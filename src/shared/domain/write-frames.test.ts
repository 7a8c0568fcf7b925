import { expect, it } from "vitest";
import { writeFrames } from "./write-frames.ts";

const frames = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const frame = { name: `f${i}`, closed: false, close: () => void (frame.closed = true) };
    return frame;
  });

it("The frames are written in their order, and are left to what takes them", async () => {
  const some = frames(3);
  const written: string[] = [];
  await writeFrames({ write: ({ name }) => Promise.resolve(void written.push(name)) }, some);
  expect(written).toEqual(["f0", "f1", "f2"]);
  expect(some.map(({ closed }) => closed)).toEqual([false, false, false]);
});

it("A track that ends while frames wait leaves none open", async () => {
  const some = frames(3);
  const ended = new Error("the track has ended");
  const write = (frame: (typeof some)[number]): Promise<void> =>
    frame === some[1] ? Promise.reject(ended) : Promise.resolve();
  await expect(writeFrames({ write }, some)).rejects.toBe(ended);
  expect(some.map(({ closed }) => closed)).toEqual([true, true, true]);
});
