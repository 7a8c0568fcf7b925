import { expect, test } from "vitest";
import { createOpenTurns, createTurns } from "./turns.ts";

/** A promise and the function that resolves it. */
function gap(): { readonly done: Promise<void>; end(): void } {
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { done, end };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("Chunks have their turns one after the other, also after one that failed", async () => {
  const chunkTurns = createTurns(() => false);
  const order: string[] = [];
  const failing = chunkTurns.runInTurn(() => Promise.reject(new Error("no")));
  const first = gap();
  const one = chunkTurns.runInTurn(async () => {
    order.push("one begins");
    await first.done;
    order.push("one ends");
  });
  const two = chunkTurns.runInTurn(async () => {
    order.push("two begins");
  });
  await expect(failing).rejects.toThrow("no");
  await expect.poll(() => order).toEqual(["one begins"]);
  first.end();
  await Promise.all([one, two]);
  expect(order).toEqual(["one begins", "one ends", "two begins"]);
});

test("The next chunk waits while requests use the connection, but not forever", async () => {
  let busy = true;
  const chunkTurns = createTurns(() => busy);
  await chunkTurns.runInTurn(() => Promise.resolve());
  let began = false;
  const second = chunkTurns.runInTurn(async () => {
    began = true;
  });
  for (let i = 0; i < 10; i += 1) await turn();
  expect(began).toBe(false);
  busy = false;
  await second;
  busy = true;
  // its pause ends although the connection stays in use
  await chunkTurns.runInTurn(() => Promise.resolve());
});

/** A clock that only sleeping moves. */
function sleeper() {
  let now = 0;
  const sleep = (ms: number): Promise<void> => {
    now += ms;
    return Promise.resolve();
  };
  return { now: () => now, sleep, pass: sleep };
}

test("With many connections chunks work at the same time, as long as nobody waits", async () => {
  const time = sleeper();
  const chunkTurns = createOpenTurns(() => false, time);
  for (let chunks = 0; chunks < 3; chunks += 1) await chunkTurns.enter();
  expect(time.now()).toBe(0);
});

test("While people wait, one chunk is worked on at a time, and the next one enters as long after it as it took", async () => {
  for (const [took, pause] of [
    [0, 60],
    [100, 100],
    [3000, 3000],
  ] as const) {
    const time = sleeper();
    const chunkTurns = createOpenTurns(() => true, time);
    const leave = await chunkTurns.enter();
    await time.pass(took);
    let entered = false;
    const next = chunkTurns.enter().then((leaveNext) => {
      entered = true;
      return leaveNext;
    });
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
    expect(entered).toBe(false);
    const left = time.now();
    leave();
    leave();
    await next;
    expect(time.now() - left).toBeGreaterThanOrEqual(pause);
    expect(time.now() - left).toBeLessThanOrEqual(2 * pause);
  }
});

test("A chunk that is held enters at once when nobody waits any more", async () => {
  let isWaiting = true;
  const chunkTurns = createOpenTurns(() => isWaiting);
  await chunkTurns.enter();
  let entered = false;
  const second = chunkTurns.enter().then(() => {
    entered = true;
  });
  for (let i = 0; i < 10; i += 1) await turn();
  expect(entered).toBe(false);
  isWaiting = false;
  await second;
});

test("The pause between two chunks grows with the time that a chunk takes, so that a slow machine serves requests too", async () => {
  for (const [took, pause] of [
    [0, 60],
    [40, 60],
    [100, 100],
    [3000, 3000],
  ] as const) {
    let now = 0;
    const time = {
      now: () => now,
      sleep: (ms: number) => {
        now += ms;
        return Promise.resolve();
      },
    };
    const chunkTurns = createTurns(() => true, time);
    await chunkTurns.runInTurn(async () => {
      now = took;
    });
    await chunkTurns.runInTurn(() => Promise.resolve());
    expect(now).toBe(took + pause);
  }
});

test("Another chunk enters when the rows of the chunk are on their way, or when its turn ends without rows", async () => {
  const chunkTurns = createTurns(() => false);
  // no chunk has its turn
  await chunkTurns.enter();
  for (const sends of [true, false]) {
    const [sent, end] = [gap(), gap()];
    const chunk = chunkTurns.runInTurn(async (onRows) => {
      await sent.done;
      if (sends) onRows();
      await end.done;
    });
    await expect
      .poll(async () =>
        Promise.race([chunkTurns.enter().then(() => "entered"), turn().then(() => "busy")]),
      )
      .toBe("busy");
    let entered = false;
    void chunkTurns.enter().then(() => {
      entered = true;
    });
    sent.end();
    if (sends) await expect.poll(() => entered).toBe(true);
    else expect(entered).toBe(false);
    end.end();
    await chunk;
    await expect.poll(() => entered).toBe(true);
  }
});
