/** Calls over the chat connection (docs/calls.md#signalling-over-chat): the server has no signalling socket for calls. */
import type { Page } from "@playwright/test";
import { WebSocket } from "ws";
import { SIGNALLING_PATH } from "../../src/shared/protocol/signalling.ts";
import {
  answerButton,
  callId,
  callStatus,
  dial,
  expectMedia,
  expectMovingPicture,
  hangUpButton,
  refuseButton,
  waitForOwner,
} from "../support/calls.ts";
import { coreId, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { chatOpen } from "../support/group-call.ts";
import type { TestServer } from "../support/server.ts";

test.use({ serverEnv: { CALL_SIGNALLING: "chat" } });

/** Upgrades to a path that takes no socket. */
const refusals = (server: TestServer): Promise<number> =>
  server.metric("websocket_refused_total", { reason: "404" });

/** Tries to open the signalling socket of calls. @returns the status of the refusal */
const tryToSignal = (server: TestServer): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(server.url.replace(/^http/, "ws") + SIGNALLING_PATH);
    socket.once("unexpected-response", (_request, { statusCode }) => resolve(statusCode ?? 0));
    socket.once("open", () => reject(new Error("the server has a signalling socket for calls")));
    socket.once("error", reject);
  });

const chatState = (page: Page): Promise<string> =>
  page.evaluate(() => globalThis.consoleCore.state.chat.connection);

/** No core has opened a signalling socket, or tried to. */
async function expectNoSignalling(server: TestServer, pages: readonly Page[]): Promise<void> {
  await expect.poll(() => server.metric("signalling_sockets")).toBe(0);
  await expect.poll(() => refusals(server)).toBe(0);
  for (const page of pages) {
    const { chat, signalling } = await page.evaluate(
      () => globalThis.consoleCore.state.worker.sockets,
    );
    expect(signalling).toMatchObject({ state: "closed", attempts: 0, sent: 0, received: 0 });
    expect(chat.state).toBe("open");
  }
}

test("Two people call each other with the signalling server switched off, see and hear each other, and hang up", async ({
  people,
  server,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 2 });
  const li = await people.loggedIn("lina", { tabs: 2 });
  await chatOpen([...zhang.pages, ...li.pages]);
  await dial(zhang.pages[0]!, "李娜");
  for (const page of li.pages) await expect(answerButton(page)).toBeVisible();
  await answerButton(li.pages[1]!).click();
  const all = [...zhang.pages, ...li.pages];
  for (const page of all) await expect.poll(() => callStatus(page)).toBe("chat");
  const ownPage = await waitForOwner(zhang.pages);
  const theirs = await waitForOwner(li.pages);
  await expectMedia(ownPage);
  await expectMedia(theirs);
  await expectMovingPicture(ownPage);
  await expectMovingPicture(theirs);
  await expectNoSignalling(server, all);

  // The owner's tab closes: the other tab takes the media over, and the offer goes over chat.
  const id = await callId(theirs);
  await ownPage.close();
  const left = zhang.pages.filter((page) => page !== ownPage);
  const next = await waitForOwner(left);
  await expectMedia(next);
  await expectMovingPicture(theirs);
  await expect.poll(() => callId(next)).toBe(id);

  await hangUpButton(next).first().click();
  for (const page of [...left, ...li.pages]) {
    await expect.poll(() => callStatus(page)).toBe("idle");
  }
  await expectNoSignalling(server, [...left, ...li.pages]);
});

test("One of two devices answers and the other stops ringing; the call outlives the caller's core and owner tab", async ({
  people,
  server,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 2 });
  const desk = await people.loggedIn("lina");
  const phone = await people.loggedIn("lina");
  const [caller, unused, callee] = [zhang.pages[0]!, desk.pages[0]!, phone.pages[0]!];
  // A ring reaches the devices that are connected when the first of them says that it rings.
  for (const page of [unused, callee]) await expect.poll(() => chatState(page)).toBe("open");
  await dial(caller, "李娜");
  await expect(answerButton(unused)).toBeVisible();
  await answerButton(callee).click();
  await expect(unused.getByText("已在其他设备接听。").first()).toBeVisible();
  await expect(answerButton(unused)).toHaveCount(0);
  const ownPage = await waitForOwner(zhang.pages);
  await expectMedia(ownPage);
  await expectMedia(callee);
  const id = await callId(callee);

  const first = await coreId(ownPage);
  await killCore(ownPage);
  await expect.poll(() => coreId(ownPage)).not.toBe(first);
  await expect.poll(() => callStatus(ownPage)).toBe("chat");
  await expect.poll(() => callId(ownPage)).toBe(id);
  await expectMovingPicture(ownPage);

  // The next core has the session: the offer of the next owner tab goes over chat.
  const left = zhang.pages.filter((page) => page !== ownPage);
  await ownPage.close();
  await expectMedia(await waitForOwner(left));
  await expectMovingPicture(callee);
  await hangUpButton(callee).first().click();
  for (const page of [...left, unused, callee]) {
    await expect.poll(() => callStatus(page)).toBe("idle");
  }
  await expectNoSignalling(server, [...left, unused, callee]);
});

test("A refused call ends for the caller, and a callee who comes later finds the text and the ring", async ({
  people,
  server,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  await dial(zhang.pages[0]!, "李娜", "语音通话");
  const text = zhang.pages[0]!.getByText("我正在向您发起语音通话");
  await expect(text.first()).toBeVisible();
  const li = await people.loggedIn("lina");
  await expect(li.pages[0]!.getByText("我正在向您发起语音通话").first()).toBeVisible();
  await refuseButton(li.pages[0]!).click();
  for (const page of [...zhang.pages, ...li.pages]) {
    await expect.poll(() => callStatus(page)).toBe("idle");
  }
  await expectNoSignalling(server, [...zhang.pages, ...li.pages]);
});

test("The server has no signalling socket for calls, and counts who tries to open it", async ({
  server,
}) => {
  const before = await refusals(server);
  expect(await tryToSignal(server)).toBe(404);
  await expect.poll(() => refusals(server)).toBe(before + 1);
});
