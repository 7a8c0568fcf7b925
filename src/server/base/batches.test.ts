import { expect, test } from "vitest";
import { createBatches } from "./batches.ts";

/** Work that ends by hand. */
function slowWork() {
  const batches: (readonly number[])[] = [];
  const ends: { resolve(results: readonly string[]): void; reject(error: Error): void }[] = [];
  return {
    batches,
    ends,
    work(jobs: readonly number[]): Promise<readonly string[]> {
      batches.push(jobs);
      return new Promise((resolve, reject) => ends.push({ resolve, reject }));
    },
    /** Ends the oldest batch that is under way. */
    end(): void {
      ends.shift()?.resolve((batches.at(-1) ?? []).map(String));
    },
  };
}

test("The first job goes at once, and those that come meanwhile go together, in their order", async () => {
  const slow = slowWork();
  const batches = createBatches({ work: slow.work, limit: 10 });
  const results = [1, 2, 3, 4].map((job) => batches.add(job));
  expect(slow.batches).toEqual([[1]]);
  slow.end();
  expect(await results[0]).toBe("1");
  await expect.poll(() => slow.batches).toEqual([[1], [2, 3, 4]]);
  results.push(batches.add(5));
  slow.end();
  expect(await Promise.all(results.slice(0, 4))).toEqual(["1", "2", "3", "4"]);
  await expect.poll(() => slow.batches.at(-1)).toEqual([5]);
  slow.end();
  await batches.drain();
});

test("A batch has no more jobs than the limit", async () => {
  const sizes: number[] = [];
  const batches = createBatches<number, number>({
    limit: 3,
    async work(jobs) {
      sizes.push(jobs.length);
      return jobs;
    },
  });
  const all = Array.from({ length: 8 }, (_, job) => job);
  expect(await Promise.all(all.map((job) => batches.add(job)))).toEqual(all);
  expect(sizes).toEqual([1, 3, 3, 1]);
});

test("A bad job in the middle fails alone, and the others keep their order", async () => {
  const done: number[] = [];
  const said: (readonly number[])[] = [];
  const batches = createBatches<number, number>({
    limit: 10,
    async work(jobs) {
      await Promise.resolve();
      if (jobs.includes(3)) throw new Error(`${jobs.length} jobs with a bad one`);
      done.push(...jobs);
      return jobs;
    },
    onDone: (results) => said.push(results),
  });
  const settled = await Promise.allSettled([1, 2, 3, 4, 5].map((job) => batches.add(job)));
  expect(done).toEqual([1, 2, 4, 5]);
  expect(said).toEqual([[1], [2], [4], [5]]);
  expect(settled.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(settled[2]).toMatchObject({ reason: { message: "1 jobs with a bad one" } });
});

test("After a failure the next job goes at once", async () => {
  const slow = slowWork();
  const batches = createBatches({ work: slow.work, limit: 10 });
  const first = batches.add(1);
  slow.ends.shift()?.reject(new Error("the database is away"));
  await expect(first).rejects.toThrow("the database is away");
  await batches.drain();
  const second = batches.add(2);
  expect(slow.batches).toEqual([[1], [2]]);
  slow.end();
  expect(await second).toBe("2");
});

test("A drain waits for all that was added", async () => {
  const slow = slowWork();
  const batches = createBatches({ work: slow.work, limit: 1 });
  const results = [batches.add(1), batches.add(2)];
  let drained = false;
  const draining = batches.drain().then(() => (drained = true));
  slow.end();
  await results[0];
  await expect.poll(() => slow.batches).toHaveLength(2);
  expect(drained).toBe(false);
  slow.end();
  await draining;
  expect(await results[1]).toBe("2");
});
