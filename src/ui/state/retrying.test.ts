import { expect, test } from "vitest";
import { retrying } from "./retrying.ts";

const setUp = (outage: number, refusals: number, remembersFailures = false) => {
  const log: string[] = [];
  const failures = { outage, refusals };
  const result = retrying(
    () => {
      log.push("load");
      if (failures.outage + failures.refusals > 0) return Promise.reject(new Error("not fetched"));
      return Promise.resolve("page");
    },
    {
      wait: () => Promise.resolve(),
      reachable: () => {
        if (failures.outage > 0) {
          failures.outage -= 1;
          return Promise.resolve(false);
        }
        failures.refusals -= 1;
        return Promise.resolve(true);
      },
      reloadStyles: () => {
        log.push("styles");
        return Promise.resolve();
      },
      remembersFailures,
    },
  );
  return { log, result };
};

test("code is requested until the outage is over, then its styles", async () => {
  const { log, result } = setUp(20, 0);
  expect(await result).toBe("page");
  expect(log).toEqual([...Array.from({ length: 21 }, () => "load"), "styles"]);
});

test("code that a reachable server does not have is given up after four refusals", async () => {
  const { log, result } = setUp(0, 99);
  await expect(result).rejects.toThrow("not fetched");
  expect(log).toHaveLength(4);
});

test("a browser that remembers failures does not ask for code before the server is in reach", async () => {
  const { log, result } = setUp(20, 0, true);
  expect(await result).toBe("page");
  expect(log).toEqual(["load", "styles"]);
});

test("available code loads without a pause", async () => {
  const { log, result } = setUp(0, 0);
  expect(await result).toBe("page");
  expect(log).toEqual(["load"]);
});
