/**
 * The core of the caller or of the callee is killed at random moments of a call. The call, the media and the messages must
 * continue.
 */
import { answerButton, callId, callStatus, dial, expectMedia, openChat } from "../support/calls.ts";
import { alerts, composer, expectBothSee, storedTexts } from "../support/chat.ts";
import { coreId, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { between, rounds, tortureRandom } from "../support/seed.ts";

const ROUNDS = rounds(20);
/** Most ms until a new core runs and the call is as before. */
const WHOLE = 20_000;
/** Most ms after that until the lists are complete again and no page of either side shows an alert. */
const LISTS = 5_000;

test(`A call survives ${ROUNDS} kills of a core`, async ({ people, server }) => {
  test.setTimeout(120_000 + ROUNDS * 40_000);
  people.expectComplaints(/WebSocket connection|ERR_CONNECTION|Failed to load resource/);
  const random = tortureRandom("core deaths during a call");
  const zhang = await people.loggedIn("zhangwei", { tabs: 2 });
  const li = await people.loggedIn("lina", { tabs: 2 });
  const [a, ownChat] = [zhang.pages[0]!, zhang.pages[1]!];
  const [b, theirs] = [li.pages[0]!, li.pages[1]!];
  await openChat(ownChat, "李娜");
  await openChat(theirs, "张伟");
  await composer(ownChat).fill("草稿");
  await dial(a, "李娜");
  await b.bringToFront();
  await answerButton(b).click();
  await expect.poll(() => callStatus(a), { timeout: WHOLE }).toBe("chat");
  await expectMedia(a);
  await expectMedia(b);
  const id = await callId(a);
  const all: string[] = [];
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const victim = random() < 0.5 ? a : b;
    const before = await coreId(victim);
    const say3 = async (): Promise<void> => {
      for (let n = 0; n < 3; n += 1) {
        const text = `«通话 ${round}.${n}»`;
        all.push(text);
        // The call's window covers the page, so send the command that the page would send.
        await ownChat.evaluate(
          ([said, key]) =>
            globalThis.consoleCore.commands.chat.send({ chatId: "lina", text: said, key }),
          [text, text] as const,
        );
      }
    };
    const killing = new Promise<void>((resolve) => {
      setTimeout(resolve, between(random, 0, 200));
    }).then(() => killCore(victim));
    await Promise.all([say3(), killing]);
    const killed = Date.now();
    await expect.poll(() => coreId(victim), { timeout: WHOLE, intervals: [20] }).not.toBe(before);
    for (const page of [a, b]) {
      await expect
        .poll(async () => [await callStatus(page), await callId(page)], { timeout: WHOLE })
        .toEqual(["chat", id]);
    }
    await expectMedia(a);
    await expectMedia(b);
    await expectBothSee([ownChat, theirs], all.slice(-30), LISTS);
    for (const page of [a, b]) {
      await expect.poll(() => alerts(page), { timeout: LISTS }).toEqual([]);
    }
    waits.push(Date.now() - killed);
  }
  expect(await composer(ownChat).inputValue()).toBe("草稿");
  await server.kill();
  const stored = await storedTexts(server, all);
  expect(stored).toEqual(all);
  waits.sort((x, y) => x - y);
  console.log(
    `      ${ROUNDS} deaths in one call, ${all.length} messages, ${stored.length} in the database in order; ` +
      `call, media and lists as before after p50 ${waits[waits.length >> 1]} ms, at most ${waits.at(-1)} ms`,
  );
});
