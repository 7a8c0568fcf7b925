/**
 * Every row of the table of device errors, in a call, in a conference and in a group call: its words, its way out, and that the device
 * works again afterwards. The tests walk over the table itself, so a row that is added is tested.
 */
import type { Locator, Page } from "@playwright/test";
import {
  DEVICE_ERRORS,
  type DeviceErrorRow,
  lineOf,
  wordsOf,
} from "../../src/shared/domain/device-errors.ts";
import { DEVICE_CAUSES } from "../../src/shared/domain/device-states.ts";
import { fail, lose, mend, plug, silence, withBrokenDevices } from "../support/broken-devices.ts";
import { answerButton, callStatus, dial } from "../support/calls.ts";
import { CONFERENCE_PAGE, createConference, joinById, slice } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { answer, callPeople, chatOpen, inCall as inGroupCall } from "../support/group-call.ts";
import type { Person } from "../support/people.ts";

const message = (page: Page): Locator => page.locator(".arco-message");

/** Where the marks and the buttons of the own devices are. */
interface Place {
  readonly page: Page;
  /** The lasting mark of a row. */
  mark(row: DeviceErrorRow): Locator;
  /** The button of a device that failed. */
  readonly button: { readonly microphone: Locator; readonly camera: Locator };
  state(device: "microphone" | "camera"): Promise<string | undefined>;
  /** Whether the other person sees the device as off. */
  isOffForOthers(device: "microphone" | "camera"): Promise<boolean>;
}

const ROWS = DEVICE_ERRORS.flatMap((row) => {
  const { device } = row;
  return device === "screen" ? [] : [{ ...row, device }];
});
const SCREEN_ROWS = DEVICE_ERRORS.filter(({ device }) => device === "screen");

async function expectWords(place: Place, row: (typeof ROWS)[number]): Promise<void> {
  const { device, cause, what, ways } = row;
  const mark = place.mark(row);
  const browser = test.info().project.use.browserName === "firefox" ? "firefox" : "chromium";
  await expect(mark).toContainText(what.zh);
  await expect(mark).toContainText(wordsOf(device, cause, browser).advice.zh);
  await expect(mark.getByRole("button", { name: "重试" })).toHaveCount(
    ways.includes("retry") ? 1 : 0,
  );
  await expect(mark.getByRole("button", { name: "选择设备" })).toHaveCount(
    ways.includes("choose") ? 1 : 0,
  );
}

async function expectRow(place: Place, row: (typeof ROWS)[number]): Promise<void> {
  const { page, button } = place;
  const { device, cause, usable } = row;
  const mark = place.mark(row);
  await expect.poll(() => place.state(device)).toBe("on");
  if (cause === "system-muted") {
    await silence(page, device, true);
    await expectWords(place, row);
    await expect.poll(() => place.isOffForOthers(device)).toBe(true);
    await silence(page, device, false);
    await expect(mark).toHaveCount(0);
    await expect.poll(() => place.isOffForOthers(device)).toBe(false);
    return;
  }
  await fail(page, row);
  await lose(page, device);
  // A click asks once more, so the person reads why it does not open now, and no longer how it was lost.
  if (cause === "denied" || cause === "missing") {
    await expect.poll(() => place.state(device)).toMatch(/revoked|unplugged/u);
    await button[device].click();
  }
  await expect.poll(() => place.state(device)).toBe(cause);
  await expectWords(place, row);
  await expect.poll(() => place.isOffForOthers(device)).toBe(true);
  await mend(page, device);
  if (usable) {
    await expect(button[device]).toBeEnabled();
    await button[device].click();
  } else {
    await expect(button[device]).toBeDisabled();
    await plug(page);
  }
  await expect(mark).toHaveCount(0);
  await expect.poll(() => place.state(device)).toBe("on");
  await expect.poll(() => place.isOffForOthers(device)).toBe(false);
}

async function walk(place: Place, device: "microphone" | "camera"): Promise<void> {
  const rows = ROWS.filter((row) => row.device === device);
  for (const row of rows) {
    await test.step(`${row.device} ${row.cause}`, () => expectRow(place, row));
  }
  const busy = rows.filter(({ cause }) => cause === "busy");
  for (const row of busy) {
    await test.step(`${row.device}: the ways out of its mark`, async () => {
      const { page } = place;
      const mark = place.mark(row);
      await fail(page, row);
      await lose(page, row.device);
      await mark.getByRole("button", { name: "选择设备" }).click();
      const dialog = page.getByRole("dialog").filter({ hasText: "背景虚化" });
      await expect(dialog).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
      await mend(page, row.device);
      await mark.getByRole("button", { name: "重试" }).click();
      await expect(mark).toHaveCount(0);
      await expect.poll(() => place.state(row.device)).toBe("on");
    });
  }
}

/** The screen of a conference or group call. */
async function walkScreen(page: Page, sharing: () => Promise<boolean>): Promise<void> {
  const share = page.getByRole("button", { name: "共享屏幕" });
  const stop = page.getByRole("button", { name: "停止共享" });
  const shares = async (): Promise<void> => {
    await expect.poll(sharing).toBe(true);
    await expect(stop).toBeEnabled();
  };
  for (const row of SCREEN_ROWS) {
    const { cause, what, ways, silent } = row;
    await test.step(`screen ${cause}`, async () => {
      const line = message(page).filter({ hasText: what.zh });
      if (cause === "system-muted") {
        await share.click();
        await shares();
        await silence(page, "screen", true);
        const mark = page.locator('.conference-devices[data-what="screen"]');
        await expect(mark).toContainText(what.zh);
        await expect(mark).toContainText(row.advice.zh);
        await silence(page, "screen", false);
        await expect(mark).toHaveCount(0);
      } else if (cause === "revoked" || cause === "unplugged") {
        await share.click();
        await shares();
        await lose(page, "screen");
        await expect.poll(sharing).toBe(false);
        await expect(share).toBeEnabled();
        await share.click();
        await shares();
        await expect(message(page)).toHaveCount(0);
      } else {
        await fail(page, row);
        await share.click();
        if (!silent) await expect(line).toContainText(lineOf(row).zh);
        await expect(share).toBeEnabled();
        const again = line.getByRole("button", { name: "重试" });
        await expect(again).toHaveCount(!silent && ways.includes("retry") ? 1 : 0);
        await mend(page, "screen");
        if (!silent && ways.includes("retry")) await again.click();
        else await share.click();
        await shares();
        if (silent) await expect(message(page)).toHaveCount(0);
      }
      await stop.click();
      await expect.poll(sharing).toBe(false);
      await expect(share).toBeEnabled();
      // The next row reads its own message.
      await expect(message(page)).toHaveCount(0);
    });
  }
}

interface People {
  loggedIn(name: string, options?: { path?: string }): Promise<Person>;
}

async function broken(people: People, name: string, path?: string): Promise<Page> {
  const person = await people.loggedIn(name, path === undefined ? {} : { path });
  await withBrokenDevices(person);
  const [page] = person.pages as [Page];
  await page.reload();
  return page;
}

async function inCall(people: People): Promise<Place> {
  const a = await broken(people, "zhangwei");
  const [b] = (await people.loggedIn("lina")).pages as [Page];
  await dial(a, "李娜");
  await answerButton(b).click();
  await expect.poll(() => callStatus(a)).toBe("chat");
  const controls = a.locator(".call-controls");
  return {
    page: a,
    mark: ({ device, cause }) =>
      a.locator(`.call-mark[data-problem="${device}"][data-cause="${cause}"]`),
    button: {
      microphone: controls.getByRole("button", { name: "打开麦克风" }),
      camera: controls.getByRole("button", { name: "打开摄像头" }),
    },
    state: (device) =>
      a.evaluate((which) => globalThis.consoleCore.state.call.local[which], device),
    isOffForOthers: (device) =>
      b.evaluate((which) => {
        const { audioMuted, videoOff } = globalThis.consoleCore.state.call.remote;
        return which === "microphone" ? audioMuted : videoOff;
      }, device),
  };
}

async function inConference(people: People): Promise<Place> {
  const a = await broken(people, "admin", CONFERENCE_PAGE);
  const [b] = (await people.loggedIn("lina", { path: CONFERENCE_PAGE })).pages as [Page];
  await joinById(b, await createConference(a, "设备错误"));
  return conferencePlace(a, b, "admin");
}

/** A conference or group call of this person. */
function conferencePlace(a: Page, b: Page, name: string): Place {
  const bar = a.getByRole("toolbar", { name: "会议操作" });
  return {
    page: a,
    mark: ({ cause }) => a.locator(`.conference-devices[data-what="${cause}"]`),
    button: {
      microphone: bar.getByRole("button", { name: "打开麦克风" }),
      camera: bar.getByRole("button", { name: "打开摄像头" }),
    },
    state: async (device) => (await slice(a)).local[device],
    async isOffForOthers(device) {
      const { streams, members } = await slice(b);
      const own = Object.values(streams).find(
        ({ memId, type }) => type === 0 && members[memId]?.memName === name,
      );
      return (device === "microphone" ? own?.aoff : own?.voff) !== 0;
    },
  };
}

for (const device of ["microphone", "camera"] as const) {
  test(`In a call each error of the ${device} has its words and its way out, and the device works again`, async ({
    people,
  }) => {
    const place = await inCall(people);
    await walk(place, device);
    await test.step("a message names the same cause as the mark", async () => {
      const { page } = place;
      const row = ROWS.find((one) => one.device === device && one.cause === "revoked")!;
      await fail(page, row);
      await lose(page, device);
      await expect(
        message(page)
          .filter({ hasText: lineOf(row).zh })
          .first(),
      ).toBeVisible();
      await expect(place.mark(row)).toContainText(row.what.zh);
    });
  });

  test(`In a conference each error of the ${device} has its words and its way out, and the device works again`, async ({
    people,
  }) => {
    await walk(await inConference(people), device);
  });
}

test("In a group call an error of each device has the words of the same table, and the device works again", async ({
  people,
}) => {
  const a = await broken(people, "zhangwei");
  const [b] = (await people.loggedIn("lina")).pages as [Page];
  await chatOpen([a, b]);
  await callPeople(a, ["李娜"]);
  await inGroupCall(a);
  await answer(b);
  const place = conferencePlace(a, b, "zhangwei");
  for (const device of ["microphone", "camera"] as const) {
    const row = ROWS.find((one) => one.device === device && one.cause === "busy")!;
    await test.step(`${device} busy`, () => expectRow(place, row));
  }
  const row = SCREEN_ROWS.find(({ cause }) => cause === "busy")!;
  await fail(a, row);
  await a.getByRole("button", { name: "共享屏幕" }).click();
  const line = message(a).filter({ hasText: lineOf(row).zh });
  await mend(a, "screen");
  await line.getByRole("button", { name: "重试" }).click();
  await expect.poll(async () => (await slice(a)).local.sharing).toBe(true);
});

test("The check before a conference has the words of the same table for each error of microphone and camera", async ({
  people,
}) => {
  const page = await broken(people, "admin", CONFERENCE_PAGE);
  await page.getByRole("button", { name: "检测设备与网络" }).click();
  const again = page.getByRole("button", { name: "重新检测" });
  for (const cause of DEVICE_CAUSES) {
    // The check opens a device afresh, so it never loses one; a silence is tested beside the check.
    if (["revoked", "unplugged", "system-muted"].includes(cause)) continue;
    await test.step(cause, async () => {
      const rows = ROWS.filter((row) => row.cause === cause);
      for (const row of rows) await fail(page, row);
      await expect(again).toBeEnabled();
      await again.click();
      for (const row of rows) {
        const check = page.locator(`.conference-checks li[data-check="${row.device}"]`);
        await expect(check).toContainText(lineOf(row).zh);
        await expect(check).not.toHaveAttribute("data-result", "ok");
      }
    });
  }
  for (const device of ["microphone", "camera"] as const) await mend(page, device);
  await expect(again).toBeEnabled();
  await again.click();
  for (const device of ["microphone", "camera"]) {
    await expect(page.locator(`.conference-checks li[data-check="${device}"]`)).toHaveAttribute(
      "data-result",
      "ok",
    );
  }
});

test("In a conference each error of the screen has its words and its way out, and a retry shares it", async ({
  people,
}) => {
  const { page } = await inConference(people);
  await walkScreen(page, async () => (await slice(page)).local.sharing);
});
