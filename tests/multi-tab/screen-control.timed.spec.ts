/** 120 moves a second for 30 s between two browsers: all arrive, once, in order, and soon. */
import { chromium, type Page } from "@playwright/test";
import type { ControlAction } from "../../src/shared/protocol/remote-control.ts";
import { launchOptions } from "../support/chromium.ts";
import { CONFERENCE_PAGE, slice } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { loggedIn } from "../support/people.ts";
import { control, sharedScreen } from "../support/screen-control.ts";
import { timeLimit } from "../support/time-limits.ts";

const SECONDS = 30;
const RATE = 120;

declare global {
  var executed: { readonly sn: number; readonly x: number; readonly delay: number }[];
}
/** Stands for a desktop shell: it writes down what it is to execute. */
function installShell(): void {
  globalThis.executed = [];
  globalThis.desktopControl = {
    input(actions: readonly ControlAction[]) {
      const now = Date.now();
      for (const action of actions) {
        if ("x" in action) executed.push({ sn: action.sn, x: action.x, delay: now - action.time });
      }
    },
  };
}
/** Moves the pointer over the surface at this rate. @returns how many moves there were */
const move = (guest: Page, seconds: number, rate: number): Promise<number> =>
  guest.locator(".conference-control-surface").evaluate(
    (surface, given) =>
      new Promise<number>((resolve) => {
        const video = surface.parentElement!.querySelector("video")!;
        const { left, top, width, height } = video.getBoundingClientRect();
        const began = performance.now();
        let made = 0;
        const total = given.seconds * given.rate;
        const timer = setInterval(() => {
          const due = Math.min(
            total,
            Math.floor(((performance.now() - began) * given.rate) / 1000),
          );
          for (; made < due; made += 1) {
            const x = left + width / 2 + (made % 100) - 50;
            const init = { bubbles: true, clientX: x, clientY: top + height / 2 };
            surface.dispatchEvent(new PointerEvent("pointermove", init));
          }
          if (made < total) return;
          clearInterval(timer);
          resolve(made);
        }, 4);
      }),
    { seconds, rate },
  );

test("120 moves a second for 30 s arrive in order and without loss", async ({
  people,
  server,
}, info) => {
  test.setTimeout(240_000);
  const other = await chromium.launch(launchOptions());
  try {
    const host = (await people.loggedIn("admin", { path: CONFERENCE_PAGE })).pages[0]!;
    const guestPerson = await loggedIn(other, server.url, "lina", { path: CONFERENCE_PAGE });
    const guest = guestPerson.pages[0]!;
    await host.evaluate(installShell);
    await sharedScreen(host, guest, "速度");
    await control(host, guest);
    const made = await move(guest, SECONDS, RATE);
    expect(made).toBe(SECONDS * RATE);
    const seen = () => host.evaluate(() => executed);
    let last = -1;
    await expect
      .poll(
        async () => {
          const before = last;
          last = (await seen()).length;
          return last > 0 && last === before;
        },
        { intervals: [500] },
      )
      .toBe(true);
    const all = await seen();
    await host.getByRole("button", { name: "停止控制" }).click();
    await expect.poll(async () => (await slice(host)).control.freed).not.toBeNull();
    const { counts } = (await slice(host)).control.freed!;
    const delays = all.map(({ delay }) => delay).toSorted((a, b) => a - b);
    const p95 = delays[Math.floor(delays.length * 0.95)] ?? 0;
    const measured = { made, arrived: all.length, p50: delays[delays.length >> 1], p95, ...counts };
    console.log(`moves: ${JSON.stringify(measured)}`);
    info.annotations.push({ type: "measured", description: JSON.stringify(measured) });
    // In order, each once, none lost on the way.
    expect(all.map(({ sn }) => sn)).toEqual(all.map((_, index) => index + 1));
    expect(counts).toEqual({ executed: all.length, late: 0, missing: 0, bad: 0 });
    // The page may merge moves when its own timers are late.
    expect(all.length).toBeGreaterThan(made * 0.98);
    expect(p95).toBeLessThan(timeLimit(250));
    await guestPerson.close();
  } finally {
    await other.close();
  }
});
