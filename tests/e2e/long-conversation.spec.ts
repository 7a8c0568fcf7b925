/** A conversation of more messages than the core keeps in memory, in a list that renders only the rows near the visible part. */
import { openChat } from "../support/calls.ts";
import { composer, sendText, unsent } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { PATIENCE } from "../support/time-limits.ts";

// Other tests of a shared server write into the same conversation, and this one asserts its first rows.
test.use({ serverEnv: { TEST_SERVER: "long conversation" } });

const TOTAL = 520;
/** Rows that the list may have in the DOM. */
const ROWS = 100;

test("520 messages are scrolled to their beginning with at most 100 rows in the DOM, and a message leads back to the end", async ({
  people,
}) => {
  const a = (await people.loggedIn("ops")).pages[0]!;
  await openChat(a, "李娜");
  await a.evaluate(async (total) => {
    const { chat } = globalThis.consoleCore.commands;
    for (let from = 1; from <= total; from += 40) {
      const numbers = Array.from({ length: 40 }, (_, n) => from + n);
      await Promise.all(numbers.map((n) => chat.send({ chatId: "lina", text: `长谈 ${n}` })));
    }
  }, TOTAL);
  const memory = () =>
    a.evaluate(() => {
      const { order, historyEnd } = globalThis.consoleCore.state.chat.conversations["lina"]!;
      return { size: order.length, historyEnd };
    });
  await expect.poll(() => unsent(a), { timeout: 60_000 }).toBe(0);
  expect((await memory()).size).toBeGreaterThan(440);
  const bubble = (text: string) => a.locator(".message-bubble").getByText(text, { exact: true });
  await expect(bubble(`长谈 ${TOTAL}`)).toBeInViewport();
  const list = a.getByRole("log");
  const rows = () => list.evaluate((element) => element.querySelectorAll("li").length);
  expect(await rows()).toBeLessThanOrEqual(ROWS);

  let most = 0;
  await expect
    .poll(
      async () => {
        await list.evaluate((element) => (element.scrollTop = 0));
        most = Math.max(most, await rows());
        return await bubble("长谈 1").count();
      },
      { intervals: [50], timeout: 60_000 },
    )
    .toBe(1);
  expect(most).toBeLessThanOrEqual(ROWS);
  // The rows that the last page brings are measured after they are in the DOM, and what is in sight keeps its place meanwhile.
  await expect(async () => {
    await list.evaluate((element) => (element.scrollTop = 0));
    await expect(bubble("长谈 1")).toBeInViewport({ timeout: 500 });
  }).toPass({ timeout: PATIENCE });
  expect((await memory()).size).toBeLessThanOrEqual(500);
  await expect(bubble(`长谈 ${TOTAL}`)).toHaveCount(0);

  // What is in sight stays where it is while the rows around it change. Rows within 400 px of the visible part are rendered.
  const middle = bubble("长谈 15");
  await middle.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const placeOf = () => middle.evaluate((element) => element.getBoundingClientRect().top);
  const place = await placeOf();
  await a.evaluate(async () => {
    const { commands, state } = globalThis.consoleCore;
    const { messages } = state.chat.conversations["lina"]!;
    const { id } = Object.values(messages).find(({ msg }) => msg === "长谈 4")!;
    await commands.chat.react({ chatId: "lina", id, reaction: "👍", on: true });
  });
  await expect
    .poll(() =>
      a.evaluate(() =>
        Object.values(globalThis.consoleCore.state.chat.conversations["lina"]!.messages).some(
          ({ reactions }) => reactions !== undefined,
        ),
      ),
    )
    .toBe(true);
  expect(Math.abs((await placeOf()) - place)).toBeLessThan(1);

  await sendText(a, "长谈之后");
  await expect(bubble("长谈之后")).toBeInViewport();
  await expect(composer(a)).toHaveValue("");
  expect(await rows()).toBeLessThanOrEqual(ROWS);
});
