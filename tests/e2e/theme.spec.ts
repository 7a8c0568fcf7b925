/** Light and dark: canvas drawings change together with the styles. */
import { expect, test } from "../support/fixtures.ts";

test("Charts change to the other theme immediately", async ({ people }) => {
  people.expectComplaints(/willReadFrequently/);
  const ops = await people.loggedIn("ops", { path: "/monitor/runtime" });
  const page = ops.pages[0]!;
  await expect(page.locator("canvas").first()).toBeVisible();
  // Within two frames, long before the next second's data.
  const gridIsOf = (button: string) =>
    page.evaluate(async (label) => {
      const lineNow = (): number[] => {
        const hex = getComputedStyle(document.body).getPropertyValue("--line").trim();
        return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      };
      const before = lineNow();
      document.querySelector<HTMLElement>(`button[aria-label="${label}"]`)?.click();
      await new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(null))),
      );
      const count = (canvas: HTMLCanvasElement, line: number[]): number => {
        const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
        let found = 0;
        for (let i = 0; i < data.length; i += 4) {
          if (data[i + 3] !== 255) continue;
          if (line.every((part, at) => Math.abs((data[i + at] ?? 0) - part) < 4)) found += 1;
        }
        return found;
      };
      return [...document.querySelectorAll("canvas")].map((canvas) => ({
        another: lineNow().join() !== before.join(),
        ofThis: count(canvas, lineNow()) > 100,
        ofOther: count(canvas, before) > 100,
      }));
    }, button);
  const right = [{ another: true, ofThis: true, ofOther: false }];
  expect(await gridIsOf("切换到深色模式")).toEqual(right);
  expect(await gridIsOf("切换到浅色模式")).toEqual(right);
});
