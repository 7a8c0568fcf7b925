/**
 * The server restarts during a call: the picture never stops, sockets return, and chat neither loses nor duplicates a message.
 */
import {
  answerButton,
  callStatus,
  dial,
  openChat,
  waitForOwner,
  expectMedia,
} from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { inbound } from "../support/rtc.ts";
import { timeLimit } from "../support/time-limits.ts";

const MESSAGES = 200;

test("A call survives a restart of the server, with 200 messages sent meanwhile", async ({
  people,
  server,
}) => {
  // Sockets and requests to a dead server report errors in the console, as this test intends.
  people.expectComplaints(/WebSocket connection|ERR_CONNECTION|Failed to load resource/);
  const zhang = await people.loggedIn("zhangwei", { tabs: 3 });
  const li = await people.loggedIn("lina", { tabs: 2 });
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await openChat(b, "张伟");
  await dial(a, "李娜");
  await answerButton(b).click();
  const ownPage = await waitForOwner(zhang.pages);
  const theirs = await waitForOwner(li.pages);
  await expectMedia(ownPage);
  await expectMedia(theirs);

  // The longest time without a new frame, measured within the page.
  const watch = theirs.evaluate(async () => {
    let last = -1;
    let lastAt = performance.now();
    let longest = 0;
    globalThis.stopWatching = false;
    while (!globalThis.stopWatching) {
      let frames = 0;
      for (const pc of globalThis.peerConnections ?? []) {
        const report = await pc.getStats();
        report.forEach((entry: Record<string, unknown>) => {
          if (entry["type"] === "inbound-rtp" && entry["kind"] === "video") {
            frames += Number(entry["framesDecoded"] ?? 0);
          }
        });
      }
      if (frames !== last) {
        last = frames;
        lastAt = performance.now();
      }
      longest = Math.max(longest, performance.now() - lastAt);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return longest;
  });
  const peersBefore = await theirs.evaluate(() => globalThis.peerConnections?.length ?? 0);

  const send = (from: number, to: number) =>
    a.evaluate(
      async ([first, end]) => {
        for (let i = first; i < end; i += 1) {
          await globalThis.consoleCore.commands.chat.send({ chatId: "lina", text: `消息 ${i}` });
        }
      },
      [from, to] as const,
    );
  const sending = send(0, 100);
  await server.kill("SIGKILL");
  await sending;
  await send(100, 150);
  await server.start();
  await send(150, MESSAGES);

  const received = () =>
    b.evaluate(() => {
      const conversation = globalThis.consoleCore.state.chat.conversations["zhangwei"];
      if (conversation === undefined) return [];
      return conversation.order
        .map((id) => conversation.messages[id]?.msg ?? "")
        .filter((text) => text.startsWith("消息 "));
    });
  await expect.poll(async () => (await received()).length, { timeout: 90_000 }).toBe(MESSAGES);
  await expect
    .poll(() => received())
    .toEqual(Array.from({ length: MESSAGES }, (_, i) => `消息 ${i}`));
  // A reader who comes later finds the same messages in the server's history.
  await expect
    .poll(() =>
      a.evaluate(() => {
        const conversation = globalThis.consoleCore.state.chat.conversations["lina"];
        return Object.values(conversation?.messages ?? {}).filter((m) => m.status === "sending")
          .length;
      }),
    )
    .toBe(0);

  await expect.poll(() => server.metric("chat_sockets"), { timeout: 60_000 }).toBe(2);
  await expect.poll(() => server.metric("signalling_sockets"), { timeout: 60_000 }).toBe(2);
  await expect.poll(() => callStatus(ownPage)).toBe("chat");
  await expect.poll(() => callStatus(theirs)).toBe("chat");
  await theirs.evaluate(() => {
    globalThis.stopWatching = true;
  });
  expect(await watch).toBeLessThan(timeLimit(1000));
  // The connections are the same: nothing was renegotiated.
  await expect
    .poll(() => theirs.evaluate(() => globalThis.peerConnections?.length ?? 0))
    .toBe(peersBefore);
  await expect.poll(async () => (await inbound(theirs)).openPeers).toBe(1);
});

declare global {
  var stopWatching: boolean;
}
