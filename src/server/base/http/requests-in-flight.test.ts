import { expect, test } from "vitest";
import { createRequestsInFlight } from "./requests-in-flight.ts";

test("The longest wait is that of the oldest request that is not answered yet", () => {
  let now = 1000;
  const requests = createRequestsInFlight(() => now);
  expect(requests.longest()).toBe(0);
  const first = requests.begin();
  now += 30;
  const second = requests.begin();
  now += 12;
  expect(requests.longest()).toBe(42);
  expect(requests.doPeopleWait()).toBe(false);
  now += 9;
  expect(requests.doPeopleWait()).toBe(true);
  first();
  first();
  expect(requests.longest()).toBe(21);
  expect(requests.doPeopleWait()).toBe(false);
  second();
  expect(requests.longest()).toBe(0);
});
