/**
 * Three people, one of them on two devices, write into a group while cores and the server are killed and sockets cut at random. All
 * devices then show the same messages in the server's order: none is lost, none is there twice, and nothing is unread.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { between, rounds, tortureRandom } from "../support/seed.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { startCore, tokenOf } from "./chat-cores.ts";
import { causeDeaths, deathsText, expectAgreement, MESSAGES, WHOLE } from "./chat-round.ts";

const ROUNDS = rounds(15);
let server: TestServer;
const random = tortureRandom("deaths of a group's chat");
beforeAll(async () => {
  server = await startServer({ ACCESS_TOKEN_TTL: "86400" });
}, 180_000);
afterAll(() => server.dispose());

async function makeGroup(): Promise<string> {
  const response = await fetch(`${server.url}/dc-im/api/group`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await tokenOf(server, "zhangwei")}`,
      "content-type": "application/json",
      "supplier-id": "1",
    },
    body: JSON.stringify({ groupname: "值班", members: ["lina", "admin"] }),
  });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { gid: string } };
  return data.gid;
}

it(
  `${ROUNDS * MESSAGES} messages of a group survive deaths of cores, sockets and the server`,
  async () => {
    const chatId = `#${await makeGroup()}`;
    const names = ["zhangwei", "lina", "admin", "zhangwei"];
    const cores = await Promise.all(names.map((name) => startCore(server, name, chatId)));
    const deaths = { core: 0, socket: 0, server: 0 };
    try {
      for (const core of cores) await core.run("open", { chatId, name: "值班" });
      for (let round = 0; round < ROUNDS; round += 1) {
        const texts = Array.from({ length: MESSAGES }, (_, n) => `«${round}.${n}»`);
        const sending = texts.map(async (text, n) => {
          await pause(between(random, 0, 3000));
          await cores[n % cores.length]?.run("send", { chatId, text, key: `k${round}-${n}` });
        });
        await causeDeaths(random, server, cores, deaths);
        await Promise.all(sending);
        await expectAgreement(cores, texts);
        for (const core of cores) await core.run("markRead", { chatId });
        await expect
          .poll(
            async () => {
              const looks = await Promise.all(cores.map((core) => core.look()));
              return looks.map((look) => look.conversation?.unread);
            },
            { timeout: WHOLE, interval: 200 },
          )
          .toEqual(cores.map(() => 0));
      }
    } finally {
      for (const core of cores) core.stop();
    }
    console.log(`      ${ROUNDS * MESSAGES} messages; ${deathsText(deaths)}`);
  },
  180_000 + ROUNDS * 240_000,
);
