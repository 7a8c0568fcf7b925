/**
 * Two people, one of them on two devices, send each other messages of several kinds while cores and the server are killed and sockets cut
 * at random. All devices then show the same messages in the server's order: none is lost, none is there twice, read receipts and
 * counts of unread messages are equal.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChatSlice } from "../../src/shared/protocol/state.ts";
import { rounds, between, tortureRandom } from "../support/seed.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { startCore } from "./chat-cores.ts";
import { causeDeaths, deathsText, expectAgreement, MESSAGES, WHOLE } from "./chat-round.ts";

/** 50 rounds have 2000 messages. */
const ROUNDS = rounds(50);

type Message = ChatSlice["conversations"][string]["messages"][string];
let server: TestServer;
const random = tortureRandom("deaths of chat");
beforeAll(async () => {
  server = await startServer({ ACCESS_TOKEN_TTL: "86400" });
}, 180_000);
afterAll(() => server.dispose());

it(
  `${ROUNDS * MESSAGES} mixed messages survive deaths of cores, sockets and the server`,
  async () => {
    const wei = await startCore(server, "zhangwei", "lina");
    const na = await startCore(server, "lina", "zhangwei");
    const second = await startCore(server, "zhangwei", "lina");
    const cores = [wei, na, second];
    const sides = [
      { core: wei, chatId: "lina" },
      { core: na, chatId: "zhangwei" },
      { core: second, chatId: "lina" },
    ] as const;
    const all: string[] = [];
    const deaths = { core: 0, socket: 0, server: 0 };
    let changes = 0;
    try {
      for (const { core, chatId } of sides) await core.run("open", { chatId, name: chatId });
      for (let round = 0; round < ROUNDS; round += 1) {
        const texts = Array.from({ length: MESSAGES }, (_, n) => `«${round}.${n}»`);
        all.push(...texts);
        const sending = texts.map(async (text, n) => {
          await pause(between(random, 0, 3000));
          const { core, chatId } = sides[n % sides.length] ?? sides[0];
          const quote = { mid: "1", from: "lina", type: "text", text: "原文" };
          const more = n % 7 === 0 ? { quote } : {};
          await core.run("send", { chatId, text, key: `k${round}-${n}`, ...more });
        });
        await causeDeaths(random, server, cores, deaths);
        await Promise.all(sending);
        await expectAgreement(cores, texts);
        // Changes of messages: an edit, a reaction, and a recall, each of another message.
        const look = await wei.look();
        const ownMessages = Object.values(look.conversation?.messages ?? {}).filter(
          (message) => message.bySelf && texts.includes(message.msg) && message.type === "text",
        );
        const [edited, reacted, recalled] = ownMessages;
        /** Asks again, as a person does who reads that it failed, until the change shows. */
        const until = async (
          id: string,
          command: string,
          more: object,
          done: (m: Message) => boolean,
        ): Promise<void> => {
          for (const deadline = Date.now() + WHOLE; Date.now() < deadline;) {
            await wei.run(command, { chatId: "lina", id, ...more }).catch(() => undefined);
            const now = (await wei.look()).conversation?.messages[id];
            if (now !== undefined && done(now)) return;
            await pause(100);
          }
          throw new Error(`${command} of ${id} was never done`);
        };
        const changed: Promise<unknown>[] = [];
        if (edited !== undefined) {
          const text = `${edited.msg} 改`;
          changed.push(until(edited.id, "edit", { text }, (m) => m.msg === text));
        }
        if (reacted !== undefined) {
          const like = { reaction: "👍", on: true };
          changed.push(until(reacted.id, "react", like, (m) => (m.reactions ?? []).length > 0));
        }
        if (recalled !== undefined) {
          changed.push(until(recalled.id, "recall", {}, (m) => m.status === "recall"));
          texts.splice(texts.indexOf(recalled.msg), 1);
        }
        await Promise.all(changed);
        changes += changed.length;
        await expectAgreement(cores, texts);
        for (const { core, chatId } of sides) await core.run("markRead", { chatId });
        await expect
          .poll(
            async () => {
              const looks = await Promise.all(cores.map((core) => core.look()));
              const own = Object.values(looks[0]?.conversation?.messages ?? {});
              return {
                unread: looks.map((one) => one.conversation?.unread),
                unreceipted: own.filter(
                  (message) =>
                    message.bySelf && texts.includes(message.msg) && message.status !== "read",
                ).length,
              };
            },
            { timeout: WHOLE, interval: 200 },
          )
          .toEqual({ unread: [0, 0, 0], unreceipted: 0 });
      }
    } finally {
      for (const core of cores) core.stop();
    }
    console.log(`      ${all.length} messages and ${changes} changes; ${deathsText(deaths)}`);
    expect(deaths.core + deaths.socket + deaths.server).toBe(ROUNDS * 3);
  },
  180_000 + ROUNDS * 240_000,
);
