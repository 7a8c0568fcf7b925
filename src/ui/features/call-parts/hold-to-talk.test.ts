import { describe, expect, it } from "vitest";
import { createHoldToTalk, isHoldPress } from "./hold-to-talk.ts";

const space = { code: "Space", altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
const page = { writes: false, takesSpace: false, byTab: false };

describe("the key", () => {
  it("is Space alone", () => {
    expect(isHoldPress(space, page)).toBe(true);
    expect(isHoldPress({ ...space, code: "Enter" }, page)).toBe(false);
    for (const key of ["altKey", "ctrlKey", "metaKey", "shiftKey"] as const) {
      expect(isHoldPress({ ...space, [key]: true }, page), key).toBe(false);
    }
  });

  it("does nothing while the person writes", () => {
    expect(isHoldPress(space, { ...page, writes: true })).toBe(false);
  });

  it("presses a button that has the focus by Tab, and not one that was clicked", () => {
    const button = { ...page, takesSpace: true };
    expect(isHoldPress(space, { ...button, byTab: true })).toBe(false);
    expect(isHoldPress(space, button)).toBe(true);
  });
});

/** A microphone whose core answers when the test says so. */
function microphone() {
  const asked: boolean[] = [];
  const seen: boolean[] = [];
  const failures: unknown[] = [];
  let answer: { resolve: () => void; reject: (error: Error) => void } | null = null;
  const hold = createHoldToTalk({
    setMuted(muted) {
      asked.push(muted);
      return new Promise<void>((resolve, reject) => (answer = { resolve, reject }));
    },
    changed: (holding) => seen.push(holding),
    failed: (error) => failures.push(error),
  });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    hold,
    asked,
    seen,
    failures,
    async answers() {
      answer?.resolve();
      await settle();
    },
    async fails() {
      answer?.reject(new Error("no answer"));
      await settle();
    },
  };
}

describe("the microphone", () => {
  it("is on while the key is held, however often the key repeats", async () => {
    const { hold, asked, seen, answers } = microphone();
    hold.press();
    hold.press();
    await answers();
    hold.release();
    hold.release();
    await answers();
    expect(asked).toEqual([false, true]);
    expect(seen).toEqual([true, false]);
  });

  it("is muted after a press that was shorter than the answer of the core", async () => {
    const { hold, asked, answers } = microphone();
    hold.press();
    hold.release();
    expect(asked).toEqual([false]);
    await answers();
    expect(asked).toEqual([false, true]);
    await answers();
    expect(asked).toEqual([false, true]);
  });

  it("counts as muted when it could not be turned on, and may be held again", async () => {
    const { hold, asked, seen, failures, fails, answers } = microphone();
    hold.press();
    await fails();
    expect([hold.holding, failures.length, seen]).toEqual([false, 1, [true, false]]);
    hold.release();
    hold.press();
    await answers();
    expect(asked).toEqual([false, false]);
    expect(hold.holding).toBe(true);
  });
});
