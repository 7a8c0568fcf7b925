import { expect, test } from "vitest";
import { createFakeClock } from "../../../../workers/core/core.fake.ts";
import { createReadingTime, READING_MS } from "./reading-time.ts";

function setUp() {
  const clock = createFakeClock();
  const page = { visible: true, held: false, changed: (): void => undefined, listens: false };
  const read: string[] = [];
  const time = createReadingTime({
    after(ms, run) {
      const timer = clock.after(ms, run);
      return () => timer.cancel();
    },
    isVisible: () => page.visible,
    onVisibility(changed) {
      page.changed = changed;
      page.listens = true;
      return () => void (page.listens = false);
    },
    isHeld: () => page.held,
    onRead: (id) => void read.push(id),
  });
  const setVisible = (visible: boolean): void => {
    page.visible = visible;
    page.changed();
  };
  return { clock, page, read, time, setVisible };
}

test("A notice goes after the time to read it, and one that ended before is not reported", async () => {
  const { clock, read, time } = setUp();
  time.begin("a");
  time.begin("b");
  time.end("b");
  await clock.advance(READING_MS - 1);
  expect(read).toEqual([]);
  await clock.advance(1);
  expect(read).toEqual(["a"]);
  expect(clock.pending).toBe(0);
});

test("The time begins when the tab is seen, and begins again after it was hidden", async () => {
  const { clock, read, time, setVisible } = setUp();
  setVisible(false);
  time.begin("a");
  await clock.advance(10 * READING_MS);
  setVisible(true);
  await clock.advance(READING_MS - 1);
  setVisible(false);
  await clock.advance(10 * READING_MS);
  setVisible(true);
  await clock.advance(READING_MS - 1);
  expect(read).toEqual([]);
  await clock.advance(1);
  expect(read).toEqual(["a"]);
});

test("A notice that the person is at stays", async () => {
  const { clock, page, read, time } = setUp();
  time.begin("a");
  page.held = true;
  await clock.advance(10 * READING_MS);
  expect(read).toEqual([]);
  page.held = false;
  await clock.advance(READING_MS);
  expect(read).toEqual(["a"]);
});

test("After a stop nothing is left", () => {
  const { clock, page, time } = setUp();
  time.begin("a");
  time.stop();
  expect([clock.pending, page.listens]).toEqual([0, false]);
});
