/** This project's own library through the steps that the package easemob-emedia goes through in `npm test`. */
import { ticketPath } from "../../src/shared/protocol/rest/rtc.ts";
import { loginIdentity } from "../emedia/identity.ts";
import { expect, test } from "../emedia/fixtures.ts";
import { joiningSteps } from "../emedia/steps/joining.ts";
import { managingSteps } from "../emedia/steps/managing.ts";
import { mediaSteps } from "../emedia/steps/media.ts";
import { watched } from "../emedia/steps/meeting.ts";
import { mediaDeathStep, survivingSteps } from "../emedia/steps/surviving.ts";

const MIXED = 11;
const LIVE = 12;
const SCREEN = 1;

test.use({ client: "library" });

joiningSteps();
managingSteps();
mediaSteps();
survivingSteps();
mediaDeathStep(15_000);

test("Too many cameras, screens and speakers are refused, and nobody is thrown out", async ({
  sdk,
}) => {
  const limits = { maxVideoCount: 1, maxPubDesktopCount: 0, maxTalkerCount: 2 };
  const { lina, ops, confrId } = await watched(sdk, limits);
  await expect(ops.publish()).rejects.toThrow("会议视频路数已达上限");
  await ops.expectEvent("too many cameras");
  await expect(lina.act("share")).rejects.toThrow("会议共享桌面路数已达上限");
  await lina.expectEvent("too many screens");
  const third = await sdk("zhangwei");
  await expect(third.join(confrId)).rejects.toThrow(/-504|已满|上限/);
  // The library goes on with the sound, which is no camera.
  await lina.expectMedia("ops", { video: false });
  await ops.expectMedia("lina");
  expect([...(await lina.events("exit")), ...(await ops.events("exit"))]).toEqual([]);
});

test("A live conference without a place in the audience refuses who would watch, and keeps who is inside", async ({
  sdk,
}) => {
  const { lina, ops, confrId } = await watched(sdk, { confrType: LIVE, maxAudienceCount: 1 });
  const third = await sdk("zhangwei");
  await expect(third.join(confrId)).rejects.toThrow(/-504|已满|上限/);
  await ops.expectMedia("lina");
  expect(await lina.members()).toEqual(["ops"]);
  await ops.act("leave");
  await expect.poll(() => lina.members()).toEqual([]);
  await third.join(confrId);
  await third.expectMedia("lina");
});

test("A client joins with a ticket that its application obtained", async ({ sdk, server }) => {
  const lina = await sdk("lina");
  const ops = await sdk("ops");
  const confrId = await lina.host();
  const { name, token } = await loginIdentity(server.url, "ops");
  const answer = await fetch(server.url + ticketPath("easemob"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uid: name, token, confrId, confrType: 10 }),
  });
  const { ticket } = (await answer.json()) as { ticket: never };
  await ops.page.evaluate(([id, given]) => conferenceClient.joinConferenceWithTicket(id, given), [
    confrId,
    ticket,
  ] as const);
  await ops.publish();
  await lina.expectMedia("ops");
  await ops.expectMedia("lina");
  expect(await lina.members()).toEqual(["ops"]);
});

test("In a mixed conference cameras and a silent screen go side by side; in a live one the guest only watches", async ({
  sdk,
}) => {
  const lina = await sdk("lina");
  const ops = await sdk("ops");
  await ops.join(await lina.host({ confrType: MIXED }));
  await ops.publish();
  const screen = await lina.act("share");
  expect(screen).not.toBeNull();
  await lina.expectMedia("ops", { heard: true });
  await ops.expectMedia("lina", { heard: true });
  await ops.expectMedia("lina", { type: SCREEN, audio: false });
  const received = await ops.received();
  expect(received.find(({ type }) => type === SCREEN)).toMatchObject({ audioPackets: 0 });
  await lina.act("close");
  await ops.expectEvent("exit", { reason: 11 });

  await ops.join(await lina.host({ confrType: LIVE }));
  await ops.expectMedia("lina");
  await expect(ops.publish()).rejects.toThrow("Audience not allow publish");
});
