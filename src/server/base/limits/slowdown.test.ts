import { expect, it } from "vitest";
import { createManualClock } from "../../host.harness.ts";
import { AppError } from "../../../shared/errors.ts";
import { createSlowdown } from "./slowdown.ts";

const LIMITS = { free: 3, firstMs: 1000, longestMs: 8000, leakMs: 60_000, forgive: true };
const setUp = () => {
  const clock = createManualClock();
  const slowdown = createSlowdown(clock, LIMITS);
  let checked = 0;
  const attempt = async (key: string, good = false): Promise<"good" | "wrong" | number> => {
    try {
      const answer = await slowdown.run(key, () => {
        checked += 1;
        return Promise.resolve(good);
      });
      return answer ? "good" : "wrong";
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return Number(error.details?.["retryAfter"]);
    }
  };
  return { clock, attempt, slowdown, checked: () => checked };
};

it("The free failures pass, then the wait doubles up to the longest", async () => {
  const { clock, attempt } = setUp();
  const waits: number[] = [];
  for (let i = 0; i < 3; i += 1) expect(await attempt("a")).toBe("wrong");
  for (let i = 0; i < 6; i += 1) {
    const wait = await attempt("a");
    if (typeof wait !== "number") throw new Error(`no wait but ${wait}`);
    waits.push(wait);
    clock.advance(wait * 1000);
    expect(await attempt("a")).toBe("wrong");
  }
  expect(waits).toEqual([1, 2, 4, 8, 8, 8]);
});

it("Attempts that come too early do not count, so the wait does not grow", async () => {
  const { clock, attempt, checked } = setUp();
  for (let i = 0; i < 100; i += 1) await attempt("a");
  expect(checked()).toBe(3);
  expect(await attempt("a")).toBe(1);
  clock.advance(1000);
  expect(await attempt("a", true)).toBe("good");
});

it("Of a hundred simultaneous attempts only the free ones are checked", async () => {
  const { attempt, checked } = setUp();
  const all = await Promise.all(Array.from({ length: 100 }, () => attempt("a")));
  expect(checked()).toBe(3);
  expect(all.filter((one) => one === "wrong")).toHaveLength(3);
});

it("Keys are independent; a success clears the failures, and time forgets them one by one", async () => {
  const { clock, attempt } = setUp();
  for (let i = 0; i < 3; i += 1) await attempt("a");
  expect(await attempt("b")).toBe("wrong");
  clock.advance(1000);
  expect(await attempt("a", true)).toBe("good");
  for (let i = 0; i < 3; i += 1) expect(await attempt("a")).toBe("wrong");
  clock.advance(LIMITS.leakMs);
  expect(await attempt("a")).toBe("wrong");
  expect(await attempt("a")).toBe(1);
  clock.advance(LIMITS.leakMs * 3);
  for (let i = 0; i < 3; i += 1) expect(await attempt("a")).toBe("wrong");
});

it("An error counts neither as success nor as failure", async () => {
  const { slowdown, attempt } = setUp();
  for (let i = 0; i < 10; i += 1) {
    const broken = slowdown.run("a", () => Promise.reject(new Error("no database")));
    await expect(broken).rejects.toThrow("no database");
  }
  expect(await attempt("a")).toBe("wrong");
});
