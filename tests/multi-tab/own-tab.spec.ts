/**
 * A person shares the very tab of the conference, captured by the browser itself, and another one controls it. The whole Chromium captures
 * tabs; the headless shell of the other suites does not (screen-control.spec.ts has a stand-in).
 */
import { CONFERENCE_PAGE, slice } from "../support/conference.ts";
import { chromiumArgs, chromiumPath } from "../support/chromium.ts";
import { expect, test } from "../support/fixtures.ts";
import { control, placeOf, sharedScreen, stateOf } from "../support/screen-control.ts";

const TITLE = "shared-tab";

test.use({
  launchOptions: {
    executablePath: chromiumPath(),
    args: [
      // Its answer to a request for the screen is a fake one.
      ...chromiumArgs.filter((arg) => arg !== "--use-fake-ui-for-media-stream"),
      "--headless=new",
      // The person chooses this tab in the browser's dialog.
      `--auto-select-tab-capture-source-by-title=${TITLE}`,
    ],
  },
});

test("The captured tab is recognised, and mouse and keys of another member arrive in it", async ({
  people,
}) => {
  // The whole browser asks for an icon, which the server does not have.
  people.expectComplaints(/favicon\.ico/);
  const at = { path: CONFERENCE_PAGE };
  const host = (await people.loggedIn("admin", at)).pages[0]!;
  const guest = (await people.loggedIn("lina", at)).pages[0]!;
  await host.evaluate((title) => {
    document.title = title;
    const box = document.createElement("section");
    box.style.cssText =
      "position:fixed;left:40%;top:20%;z-index:1500;background:#0a0;color:#fff;padding:40px";
    box.innerHTML = `<button id="press">press</button><textarea id="text" aria-label="text"></textarea>`;
    document.body.append(box);
    const button = box.querySelector("button")!;
    button.addEventListener("click", () => {
      button.dataset["click"] = String(Number(button.dataset["click"] ?? 0) + 1);
      box.style.background = "#00a";
    });
  }, TITLE);
  await host.evaluate((title) => void setInterval(() => (document.title = title), 50), TITLE);
  await sharedScreen(host, guest, "共享此标签页");
  // Chromium says that the capture shows this tab, so it can be controlled.
  await expect.poll(async () => (await slice(host)).control.able).toBe(true);
  await control(host, guest);

  /** The colour of the box in the picture that the guest receives. */
  const colour = () =>
    guest.locator(".conference-tile[data-large=true] video").evaluate((video: HTMLVideoElement) => {
      const canvas = document.createElement("canvas");
      canvas.width = video.videoWidth;
      canvas.height = video.videoHeight;
      const context = canvas.getContext("2d")!;
      context.drawImage(video, 0, 0);
      const place = [canvas.width * 0.4 + 12, canvas.height * 0.2 + 12] as const;
      const [red = 0, green = 0, blue = 0] = context.getImageData(...place, 1, 1).data;
      return red > 90 ? "other" : green > blue ? "green" : "blue";
    });
  await expect.poll(colour).toBe("green");
  const button = host.locator("#press");
  await guest.mouse.click(...(await placeOf(host, guest, button)));
  await expect(button).toHaveAttribute("data-click", "1");
  // What the click did is seen in the next picture.
  await expect.poll(colour).toBe("blue");
  const text = host.locator("#text");
  await guest.mouse.click(...(await placeOf(host, guest, text)));
  await expect(text).toBeFocused();
  await guest.keyboard.type("Hello 7");
  await expect(text).toHaveValue("Hello 7");

  await guest.getByRole("button", { name: "释放控制" }).click();
  await expect.poll(() => stateOf(host)).toBe("free");
});
