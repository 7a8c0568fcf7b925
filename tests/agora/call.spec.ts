/** Calls over the engine `agora` (docs/calls.md#agora-engine): the console's own code against a cloud that stands in for the real one. */
import type { Page } from "@playwright/test";
import {
  answerButton,
  callId,
  callStatus,
  dial,
  expectMedia,
  expectMovingPicture,
  hangUpButton,
  waitForOwner,
} from "../support/calls.ts";
import { expect, test as base } from "../support/fixtures.ts";
import type { Person } from "../support/people.ts";
import { inbound } from "../support/rtc.ts";
import { agoraUidOf } from "../../src/server/modules/calls/agora-tokens.ts";
import { type AgoraCloud, createAgoraCloud } from "./cloud.ts";

const KEYS = {
  appId: "970ca35de60c44645bbae8a215061b33",
  certificate: "5cfd2fd1755d40ecb72977518be15d3b",
};

interface TwoPeople {
  readonly cloud: AgoraCloud;
  readonly zhang: Person;
  readonly li: Person;
}
const test = base.extend<{ two: TwoPeople }>({
  two: async ({ people }, use) => {
    const cloud = createAgoraCloud(KEYS);
    const zhang = await people.loggedIn("zhangwei", { tabs: 2 });
    const li = await people.loggedIn("lina");
    for (const { context } of [zhang, li]) await cloud.serve(context);
    await use({ cloud, zhang, li });
  },
});
test.use({ serverEnv: { AGORA_APP_ID: KEYS.appId, AGORA_APP_CERTIFICATE: KEYS.certificate } });

const [ZHANG, LI] = [agoraUidOf("zhangwei"), agoraUidOf("lina")];

async function call({ zhang, li }: TwoPeople): Promise<{ ownPage: Page; theirs: Page }> {
  await dial(zhang.pages[0]!, "李娜");
  await answerButton(li.pages[0]!).click();
  const ownPage = await waitForOwner(zhang.pages);
  const theirs = await waitForOwner(li.pages);
  await expectMedia(ownPage);
  await expectMedia(theirs);
  return { ownPage, theirs };
}

test("Two people join one channel by the server's tokens, see and hear each other, and leave nothing behind", async ({
  two,
}) => {
  const { cloud } = two;
  const { ownPage, theirs } = await call(two);
  await expectMovingPicture(ownPage);
  await expectMovingPicture(theirs);
  expect(cloud.log.toSorted()).toEqual([`join ${ZHANG}`, `join ${LI}`].toSorted());
  expect(cloud.sizes()).toEqual([2]);

  await ownPage.getByRole("button", { name: "关闭摄像头" }).click();
  await expect.poll(async () => (await inbound(theirs)).openPeers).toBe(3);
  await ownPage.getByRole("button", { name: "打开摄像头" }).click();
  await expectMedia(theirs);

  await hangUpButton(ownPage).first().click();
  await expect.poll(() => callStatus(theirs)).toBe("idle");
  await expect.poll(() => cloud.sizes()).toEqual([]);
  for (const page of [ownPage, theirs]) {
    await expect.poll(async () => (await inbound(page)).openPeers).toBe(0);
  }
  expect(cloud.refusals).toEqual([]);
});

test("When the owner's tab is closed, another joins with the same account, and the call id stays", async ({
  two,
}) => {
  const { cloud, zhang } = two;
  const { ownPage, theirs } = await call(two);
  const id = await callId(theirs);
  await ownPage.close();
  const next = await waitForOwner(zhang.pages.filter((page) => page !== ownPage));
  await expectMedia(next);
  await expectMedia(theirs);
  await expectMovingPicture(theirs);
  await expect.poll(() => callId(next)).toBe(id);
  expect(cloud.log.filter((line) => line === `join ${ZHANG}`)).toHaveLength(2);
  expect(cloud.sizes()).toEqual([2]);
});

test("A token that ends soon is renewed, and after its end both join again with another one", async ({
  two,
}) => {
  const { cloud } = two;
  const { ownPage, theirs } = await call(two);
  await cloud.tokensEnd("expiring");
  await expect
    .poll(() => cloud.log.slice(2).toSorted())
    .toEqual([`renew ${ZHANG}`, `renew ${LI}`].toSorted());
  await cloud.tokensEnd("expired");
  await expect
    .poll(() => cloud.log.slice(4).toSorted())
    .toEqual([`join ${ZHANG}`, `join ${LI}`].toSorted());
  await expectMedia(ownPage);
  await expectMedia(theirs);
  await expectMovingPicture(theirs);
  expect(cloud.refusals).toEqual([]);
});
