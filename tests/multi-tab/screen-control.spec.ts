/** One person controls the tab that another shares: asking, agreeing, mouse and keyboard in the page, and the ways of ending it. */
import type { Page } from "@playwright/test";
import { CONFERENCE_PAGE, joinFromLobby } from "../support/conference.ts";
import { expect, type Fixtures, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { control, placeOf, sharedScreen, stateOf } from "../support/screen-control.ts";

/**
 * Puts things to use into the page, and writes down what they get. The headless browser cannot capture a tab, so a still picture of the
 * same proportions stands for it, and says that it shows this tab as Chromium does for a real capture.
 */
function furnish(): void {
  let handle = "";
  Object.assign(navigator.mediaDevices, {
    setCaptureHandleConfig: (config: { handle: string }) => void (handle = config.handle),
    async getDisplayMedia() {
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width: innerWidth, height: innerHeight });
      const context = canvas.getContext("2d")!;
      setInterval(() => context.fillRect((performance.now() / 100) % 9, 0, 9, 9), 100);
      const stream = canvas.captureStream(10);
      Object.assign(stream.getVideoTracks()[0]!, { getCaptureHandle: () => ({ handle }) });
      return stream;
    },
  });
  const box = document.createElement("section");
  box.style.cssText =
    "position:fixed;left:40%;top:20%;z-index:1500;background:#fff;color:#000;padding:12px";
  box.innerHTML = `<button id="press">press</button><textarea id="text" aria-label="text"></textarea>
    <div id="list"><p>list</p></div>`;
  const list = box.querySelector<HTMLElement>("#list")!;
  Object.assign(list.style, { height: "60px", overflow: "auto" });
  list.querySelector("p")!.style.height = "600px";
  document.body.append(box);
  const button = box.querySelector("button")!;
  const count = (name: string) => (): void => {
    button.dataset[name] = String(Number(button.dataset[name] ?? 0) + 1);
  };
  for (const name of ["click", "dblclick", "contextmenu", "mouseover", "pointermove"]) {
    button.addEventListener(name, count(name));
  }
}

async function twoPeople(people: Fixtures["people"]) {
  const at = { path: CONFERENCE_PAGE };
  const host = (await people.loggedIn("admin", at)).pages[0]!;
  const guest = (await people.loggedIn("lina", at)).pages[0]!;
  return { host, guest };
}
/** The guest has stopped controlling, and reads why. */
async function expectEnded(host: Page, guest: Page, words: string): Promise<void> {
  await expect(guest.getByText(words).first()).toBeVisible();
  await expect.poll(() => stateOf(host)).toBe("free");
  await expect.poll(() => stateOf(guest)).toBe("free");
  await expect(guest.locator(".conference-control-surface")).toHaveCount(0);
  await expect(host.locator(".controlled-bar")).toHaveCount(0);
}

test("Mouse, wheel and keyboard arrive in the shared tab, where they were meant", async ({
  people,
}) => {
  const { host, guest } = await twoPeople(people);
  await host.evaluate(furnish);
  await sharedScreen(host, guest, "远程协助");
  await shoot(guest, "control-ask");
  await guest.getByRole("button", { name: "请求控制" }).click();
  await expect(guest.getByText(/正在等待.*同意控制请求/)).toBeVisible();
  await shoot(host, "control-question");
  await expectAccessible(host, "question for control");
  await guest.getByRole("button", { name: "取消请求" }).click();
  await expect(host.getByRole("button", { name: "同意控制" })).toHaveCount(0);
  await control(host, guest);
  await shoot(host, "controlled");
  await shoot(guest, "controlling");

  const button = host.locator("#press");
  await guest.mouse.move(...(await placeOf(host, guest, button)));
  await expect(button).toHaveAttribute("data-pointermove", /\d/);
  await expect(button).toHaveAttribute("data-mouseover", "1");
  await guest.mouse.dblclick(...(await placeOf(host, guest, button)));
  await expect(button).toHaveAttribute("data-click", "2");
  await expect(button).toHaveAttribute("data-dblclick", "1");
  await guest.mouse.click(...(await placeOf(host, guest, button)), { button: "right" });
  await expect(button).toHaveAttribute("data-contextmenu", "1");

  await guest.mouse.move(...(await placeOf(host, guest, host.locator("#list"))));
  await guest.mouse.wheel(0, 200);
  const scrolled = () => host.locator("#list").evaluate((list) => list.scrollTop);
  await expect.poll(scrolled).toBe(200);

  const text = host.locator("#text");
  await guest.mouse.click(...(await placeOf(host, guest, text)));
  await expect(text).toBeFocused();
  await guest.keyboard.type("Hello, 屏幕!");
  await expect(text).toHaveValue("Hello, !");
  await guest.keyboard.press("Backspace");
  await guest.keyboard.press("Enter");
  await guest.keyboard.type("Ab1");
  await expect(text).toHaveValue("Hello, \nAb1");
  // Zoomed, the same place of the picture is elsewhere on the page.
  await guest.getByRole("button", { name: "原始大小" }).click();
  await guest.mouse.click(...(await placeOf(host, guest, button)));
  await expect(button).toHaveAttribute("data-click", "3");
});

test("Either side ends the control, and a third person finds the screen busy", async ({
  people,
}) => {
  const { host, guest } = await twoPeople(people);
  await host.evaluate(furnish);
  await sharedScreen(host, guest, "轮流控制");
  const third = (await people.loggedIn("zhangwei", { path: CONFERENCE_PAGE })).pages[0]!;
  await joinFromLobby(third, "轮流控制");

  // Refused.
  await guest.getByRole("button", { name: "请求控制" }).click();
  await host.getByRole("dialog").getByRole("button", { name: "拒绝" }).click();
  await expectEnded(host, guest, "拒绝了远程控制请求");

  // Stopped by the controlled person: by the keyboard, and by the button.
  const surface = await control(host, guest);
  await third.getByRole("button", { name: "请求控制" }).click();
  await expect(third.getByText("的屏幕正被他人控制，请稍后再试")).toBeVisible();
  // Escape of the controller is a key of the shared page, and stops nothing.
  await surface.press("Escape");
  await host.locator("#press").focus();
  await host.keyboard.press("Escape");
  await expectEnded(host, guest, "已停止您的远程控制");
  await control(host, guest);
  await host.getByRole("button", { name: "停止控制" }).click();
  await expectEnded(host, guest, "已停止您的远程控制");

  // Released by the controller: by the button, and by Escape twice.
  await control(host, guest);
  await guest.getByRole("button", { name: "释放控制" }).click();
  await expectEnded(host, guest, "已释放对");
  await control(host, guest);
  await guest.keyboard.press("Escape");
  await guest.keyboard.press("Escape");
  await expectEnded(host, guest, "已释放对");

  // The controller leaves; then the stream goes.
  await control(host, third);
  await third.close();
  await expect(host.locator(".controlled-bar")).toHaveCount(0, { timeout: 60_000 });
  await control(host, guest);
  await host.getByRole("button", { name: "停止共享" }).click();
  await expect.poll(() => stateOf(guest)).toBe("free");
  await expect.poll(() => stateOf(host)).toBe("free");
});
