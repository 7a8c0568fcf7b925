import { expect, test } from "vitest";
import type { Deployed } from "../../core-client/contracts.ts";
import { retrying } from "./retrying.ts";

const setUp = (
  outage: number,
  refusals: number,
  { remembersFailures = false, deployed = "same" as Deployed } = {},
) => {
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
      look: () => {
        if (failures.outage > 0) {
          failures.outage -= 1;
          return Promise.resolve("unreachable");
        }
        failures.refusals -= 1;
        return Promise.resolve(deployed);
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

test.each([["same"], ["unknown"]] as const)(
  "code that a reachable server does not have is given up after four refusals when its build is %s",
  async (deployed) => {
    const { log, result } = setUp(0, 99, { deployed });
    await expect(result).rejects.toThrow("not fetched");
    expect(log).toHaveLength(4);
  },
);

test("code that a server of another build does not have is given up after two refusals", async () => {
  const { log, result } = setUp(0, 99, { deployed: "other" });
  await expect(result).rejects.toThrow("not fetched");
  expect(log).toHaveLength(2);
});

test("code of this build that a server of another build still has is loaded after a lost answer", async () => {
  const { log, result } = setUp(0, 1, { deployed: "other" });
  expect(await result).toBe("page");
  expect(log).toEqual(["load", "load", "styles"]);
});

test("a browser that remembers failures does not ask for code before the server is in reach", async () => {
  const { log, result } = setUp(20, 0, { remembersFailures: true });
  expect(await result).toBe("page");
  expect(log).toEqual(["load", "styles"]);
});

test("available code loads without a pause", async () => {
  const { log, result } = setUp(0, 0);
  expect(await result).toBe("page");
  expect(log).toEqual(["load"]);
});
