import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

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

test("A lull begins when the rows of the chunk are on their way, or when its turn ends without rows", async () => {
  const chunkTurns = createTurns(() => false);
  // no chunk has its turn
  await chunkTurns.lull();
  for (const sends of [true, false]) {
    const [sent, end] = [gap(), gap()];
    const chunk = chunkTurns.runInTurn(async (onRows) => {
      await sent.done;
      if (sends) onRows();
      await end.done;
    });
    await expect
      .poll(async () =>
        Promise.race([chunkTurns.lull().then(() => "lull"), turn().then(() => "busy")]),
      )
      .toBe("busy");
    let lull = false;
    void chunkTurns.lull().then(() => {
      lull = true;
    });
    sent.end();
    if (sends) await expect.poll(() => lull).toBe(true);
    else expect(lull).toBe(false);
    end.end();
    await chunk;
    await expect.poll(() => lull).toBe(true);
  }
});
