import { expect, it } from "vitest";
import { createManualClock } from "../../host.harness.ts";
import { createThrottle } from "./throttle.ts";

const good = () => Promise.resolve(true);
const bad = () => Promise.resolve(false);

it("A key is locked after the failures, and the error contains the wait", async () => {
  const clock = createManualClock();
  const throttle = createThrottle(clock, { failures: 3, withinMs: 1000, forgive: true });
  for (let i = 0; i < 3; i++) {
    expect(await throttle.run("a", bad)).toBe(false);
    clock.advance(100);
  }
  await expect(throttle.run("a", good)).rejects.toMatchObject({
    code: "auth.locked",
    details: { retryAfter: 1 },
  });
  expect(await throttle.run("b", good)).toBe(true);
  // The window slides: once the first failure leaves it, one more attempt is allowed.
  clock.advance(700);
  expect(await throttle.run("a", bad)).toBe(false);
  await expect(throttle.run("a", good)).rejects.toMatchObject({ code: "auth.locked" });
});

it("A success clears the failures when `forgive` is set", async () => {
  const clock = createManualClock();
  for (const forgive of [true, false]) {
    const throttle = createThrottle(clock, { failures: 2, withinMs: 1000, forgive });
    await throttle.run("a", bad);
    await throttle.run("a", good);
    await throttle.run("a", bad);
    const next = throttle.run("a", good).catch((error: unknown) => error);
    if (forgive) expect(await next).toBe(true);
    else expect(await next).toMatchObject({ code: "auth.locked" });
  }
});

it("No more attempts run at once than may fail, and no valid attempt is refused", async () => {
  const throttle = createThrottle(createManualClock(), {
    failures: 3,
    withinMs: 1000,
    forgive: true,
  });
  let tried = 0;
  const guess = () => {
    tried += 1;
    return Promise.resolve(false);
  };
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => throttle.run("a", guess)),
  );
  expect(tried).toBe(3);
  expect(results.filter((r) => r.status === "rejected")).toHaveLength(17);
  const logins = Array.from({ length: 20 }, () => throttle.run("b", good));
  expect(await Promise.all(logins)).toEqual(Array.from({ length: 20 }, () => true));
});

it("An error of the work counts neither as success nor as failure", async () => {
  const throttle = createThrottle(createManualClock(), { failures: 1, withinMs: 9, forgive: true });
  await expect(throttle.run("a", () => Promise.reject(new Error("database")))).rejects.toThrow(
    "database",
  );
  expect(await throttle.run("a", good)).toBe(true);
});
