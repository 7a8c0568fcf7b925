import { expect, test } from "vitest";
import { createManualClock } from "../../host.harness.ts";
import { AppError } from "../../../shared/errors.ts";
import { createGate, type GateLimits } from "./gate.ts";

const LIMITS: GateLimits = {
  bytes: 100,
  perCompany: 2,
  waitingPerCompany: 2,
  waiting: 3,
  patience: 1000,
};
const open = () => {
  const clock = createManualClock();
  const gate = createGate(clock, LIMITS);
  const order: string[] = [];
  const enter = (name: string, company: string, bytes: number, gone?: AbortSignal) => {
    const entered = gate.enter(company, bytes, gone).then((leave) => {
      order.push(name);
      return leave;
    });
    entered.catch(() => undefined);
    return entered;
  };
  return { clock, gate, order, enter };
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const refusal = async (entered: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await entered.catch((thrown: unknown) => thrown);
  return error instanceof AppError ? [error.code, error.details?.["retryAfter"]] : error;
};

test("The gate keeps the limits for bytes and for chunks per company, and admits the next chunk when one leaves", async () => {
  const { gate, order, enter } = open();
  const first = await enter("a1", "a", 40);
  await enter("a2", "a", 10);
  void enter("a3", "a", 10);
  await turn();
  expect(order).toEqual(["a1", "a2"]);
  void enter("b1", "b", 60);
  await turn();
  expect(order).toEqual(["a1", "a2"]);
  first();
  first();
  await turn();
  expect(order).toEqual(["a1", "a2", "b1", "a3"]);
  expect(gate.inside()).toBe(3);
});

test("A chunk above the byte limit enters alone", async () => {
  const { order, enter } = open();
  const small = await enter("small", "a", 1);
  const large = enter("large", "b", 500);
  await turn();
  expect(order).toEqual(["small"]);
  small();
  await large;
  void enter("next", "a", 1);
  await turn();
  expect(order).toEqual(["small", "large"]);
});

test("A chunk that finds the queue full or waits too long is refused with a retry time", async () => {
  const { clock, enter } = open();
  await enter("a1", "a", 1);
  await enter("a2", "a", 1);
  const third = enter("a3", "a", 1);
  void enter("a4", "a", 1);
  expect(await refusal(enter("a5", "a", 1))).toEqual(["request.rate-limited", 2]);
  clock.advance(1000);
  expect(await refusal(third)).toEqual(["request.rate-limited", 2]);
});

test("A sender that disconnects loses its place in the queue", async () => {
  const { order, enter } = open();
  const first = await enter("a1", "a", 1);
  await enter("a2", "a", 1);
  const aborted = new AbortController();
  const gone = enter("gone", "a", 1, aborted.signal);
  void enter("a4", "a", 1);
  aborted.abort();
  await gone.catch(() => undefined);
  first();
  await turn();
  expect(order).toEqual(["a1", "a2", "a4"]);
});
