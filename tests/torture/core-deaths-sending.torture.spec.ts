/**
 * The sender's core is killed at random moments of a burst of messages. Both message lists and the database must agree, and
 * drafts must be kept.
 */
import { openChat } from "../support/calls.ts";
import { alerts, composer, expectBothSee, listed, sendText, storedTexts } from "../support/chat.ts";
import { coreId, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { between, rounds, tortureRandom } from "../support/seed.ts";

const ROUNDS = rounds(50);
/** Most ms after a new core's start until both lists are complete again and no page shows an alert. */
const WHOLE = 5_000;
/** Most ms until a new core runs. */
const NEW_CORE = 20_000;

test(`No message is lost when the core is killed ${ROUNDS} times while its person sends`, async ({
  people,
  server,
}) => {
  test.setTimeout(60_000 + ROUNDS * 30_000);
  const random = tortureRandom("core deaths while sending");
  const zhang = await people.loggedIn("zhangwei", { tabs: 2 });
  const li = await people.loggedIn("lina");
  const [a, other] = [zhang.pages[0]!, zhang.pages[1]!];
  const b = li.pages[0]!;
  await openChat(a, "李娜");
  await openChat(other, "李娜");
  await openChat(b, "张伟");
  const draft = "写到一半的话";
  const all: string[] = [];
  const waits: number[] = [];
  let incomplete = 0;
  let alarms = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await composer(other).fill(`${draft} ${round}`);
    const before = await coreId(a);
    const burst = between(random, 3, 12);
    const at = between(random, 0, burst - 1);
    const pause = between(random, 0, 120);
    let killing: Promise<void> = Promise.resolve();
    for (let n = 0; n < burst; n += 1) {
      const text = `«${round}.${n}»`;
      all.push(text);
      if (n === at) {
        killing = new Promise((resolve) => setTimeout(resolve, pause)).then(() => killCore(a));
      }
      await sendText(a, text);
    }
    await killing;
    const killed = Date.now();
    await expect.poll(() => coreId(a), { timeout: NEW_CORE, intervals: [20] }).not.toBe(before);
    const shown = (await listed(a)).filter((text) => all.slice(-burst).includes(text));
    if (shown.length < burst) incomplete += 1;
    if ((await alerts(a)).length > 0) alarms += 1;
    await expectBothSee([a, other, b], all.slice(-40), WHOLE);
    waits.push(Date.now() - killed);
    expect(await composer(other).inputValue()).toBe(`${draft} ${round}`);
    expect(await composer(a).inputValue()).toBe("");
  }
  await server.kill();
  const stored = await storedTexts(server, all);
  expect(stored).toEqual(all);
  waits.sort((x, y) => x - y);
  console.log(
    `      ${ROUNDS} deaths, ${all.length} messages, ${stored.length} in the database in order; ` +
      `whole again after p50 ${waits[waits.length >> 1]} ms, at most ${waits.at(-1)} ms; ` +
      `list incomplete at first in ${incomplete} rounds, an alert at first in ${alarms}`,
  );
  people.expectComplaints(/WebSocket connection|ERR_CONNECTION|Failed to load resource/);
});
