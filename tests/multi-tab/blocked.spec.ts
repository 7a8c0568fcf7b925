/** A network that lets no media out: call and conference say so in the words of the check before a conference. */
import type { Page } from "@playwright/test";
import { MEDIA_BLOCKED, MEDIA_BLOCKED_ADVICE } from "../../src/shared/domain/network-words.ts";
import { answerButton, callStatus, dial } from "../support/calls.ts";
import { CONFERENCE_PAGE, createConference } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import type { Person } from "../support/people.ts";
import { timeLimit } from "../support/time-limits.ts";

/** Runs in the page. Without a relay, a browser that may use nothing but relays has no address for media. */
function blockMedia(): void {
  const Open = globalThis.RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Open {
    constructor(config: RTCConfiguration = {}) {
      super({ ...config, iceServers: [], iceTransportPolicy: "relay" });
    }
    override setConfiguration(config: RTCConfiguration = {}): void {
      super.setConfiguration({ ...config, iceServers: [], iceTransportPolicy: "relay" });
    }
  };
}

/** ms from the start of a call, or the entry into a conference, until its words are there. */
const SAID_WITHIN = { timeout: timeLimit(20_000) };

/** Firefox writes into the console that a connection found no way. */
const NO_WAY = /ICE failed/;

async function blocked(person: Person): Promise<Page> {
  await person.context.addInitScript(blockMedia);
  const [page] = person.pages as [Page];
  await page.reload();
  return page;
}

test("A call whose media find no way out says so in the words of the check", async ({ people }) => {
  people.expectComplaints(NO_WAY);
  const a = await blocked(await people.loggedIn("zhangwei"));
  const [b] = (await people.loggedIn("lina")).pages as [Page];
  await dial(a, "李娜");
  await answerButton(b).click();
  await expect.poll(() => callStatus(a)).toBe("chat");
  for (const page of [a, b]) {
    const mark = page.locator('.call-mark[data-problem="blocked"]');
    await expect(mark).toContainText(MEDIA_BLOCKED.zh, SAID_WITHIN);
    await expect(mark).toContainText(MEDIA_BLOCKED_ADVICE.zh);
  }
});

test("A conference whose media find no way out says so in the words of the check, which says the same", async ({
  people,
}) => {
  people.expectComplaints(NO_WAY);
  const page = await blocked(await people.loggedIn("admin", { path: CONFERENCE_PAGE }));
  await page.getByRole("button", { name: "检测设备与网络" }).click();
  await expect(page.locator('.conference-checks li[data-check="ice"]')).toContainText(
    MEDIA_BLOCKED.zh,
  );
  await page.locator(".arco-modal-footer").getByRole("button", { name: "关闭" }).click();
  await createConference(page, "没有出口");
  const line = page.locator('.conference-devices[data-what="blocked"]');
  await expect(line).toContainText(MEDIA_BLOCKED.zh, SAID_WITHIN);
  await expect(line).toContainText(MEDIA_BLOCKED_ADVICE.zh);
});
