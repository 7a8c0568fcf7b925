/**
 * Mutated frames and REST calls of the chat, by a member of the company and by an outsider. The server answers all of them, nothing of
 * one company reaches the other, and a receiver with the provider's unmodified SDK loses nothing.
 */
import pino from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type GroupCast,
  createGroupCast,
} from "../../src/server/modules/chat/groups/cast.harness.ts";
import type { SdkUser } from "../../src/server/modules/chat/groups/sdk.harness.ts";
import { openClient, type TestClient } from "../../src/server/modules/chat/client.harness.ts";
import { chatAccountOf } from "../../src/server/modules/chat/sign-in.harness.ts";
import { mutate, pick, seededRandom } from "../../src/shared/mutate.harness.ts";
import { repeated, seedOf } from "../support/seed.ts";
import { type Attacked, callOf, frameOf } from "./chat-attacks.ts";

/** Half of them frames, half REST calls; each half by the two attackers in turn. */
const ROUNDS = repeated(1000, 10_000);
/** A word that stands in everything of the attacked company. */
const SECRET = "机密";
/** Frames of one socket, below the burst that the gateway allows. */
const PER_SOCKET = 150;

let cast: GroupCast;
let lina: SdkUser;
let attacked: Attacked = { groupId: "", messageId: "" };
const faults: string[] = [];
const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);
const log = pino(
  { level: "error" },
  { write: (line: string) => void faults.push(line.slice(0, 600)) },
);

beforeAll(async () => {
  cast = await createGroupCast(["zhangwei", "lina", "guest", "wangfang"], { log });
  process.on("unhandledRejection", onRejection);
  lina = await cast.login("lina");
  const groupId = await cast.make(lina, ["guest"], { groupname: `${SECRET}巡查`, public: true });
  attacked = { groupId, messageId: await lina.sendText(groupId, `${SECRET}：泵房钥匙`) };
}, 120_000);
afterAll(async () => {
  process.off("unhandledRejection", onRejection);
  cast.closeAll();
  await cast.platform.close();
});

const ATTACKERS = ["guest", "wangfang"] as const;
type Attacker = (typeof ATTACKERS)[number];

/** The chat token of a person. */
const chatToken = async (name: string): Promise<string> => {
  const { origin } = cast.platform;
  const { access_token: token } = await cast.platform.login(name);
  return (await chatAccountOf(origin, token)).chatToken;
};

/** Sends frames; a socket that the gateway ended is opened again. */
async function attack(name: Attacker, frames: readonly Uint8Array[], token: string): Promise<void> {
  let client: TestClient | null = null;
  let sent = 0;
  for (const frame of frames) {
    if (client === null || client.closed !== null || sent >= PER_SOCKET) {
      client?.socket.terminate();
      client = await openClient(new URL(cast.platform.origin).host);
      await client.login(name, `web_${name}`, token);
      expect(client.closed).toBeNull();
      sent = 0;
    }
    client.sendRaw(frame);
    sent += 1;
    // The gateway handles frames in order. Without this, a frame that ends the socket would take the next ones with it.
    const opened: TestClient = client;
    await Promise.race([
      opened.unread(),
      opened.until("the end of the socket", () => opened.closed !== null),
    ]);
    if (name === "wangfang")
      seen.push(
        ...client.received.splice(0).map((one) => JSON.stringify([one.from, one.text, one.action])),
      );
  }
  client?.socket.terminate();
}
/** What the outsider received. */
const seen: string[] = [];

it(`${ROUNDS / 2} mutated frames harm neither the server nor a receiver, and cross no company`, async () => {
  const seed = seedOf(4711);
  const random = seededRandom(seed);
  const tokens = { guest: await chatToken("guest"), wangfang: await chatToken("wangfang") };
  const guest = await cast.login("guest", "healthy");
  const chunk = 200;
  let healthy = 0;
  for (let done = 0; done < ROUNDS / 2; done += chunk) {
    for (const name of ATTACKERS) {
      const frames = Array.from({ length: chunk / 2 }, (_, n) =>
        frameOf(random, done * 2 + n, attacked),
      );
      await attack(name, frames, tokens[name]);
    }
    // A message in the same inbox arrives.
    const text = `正常 ${(healthy += 1)}`;
    await guest.sendText(attacked.groupId, text);
    await lina.until(text, (e) => e.handler === "onTextMessage" && e["msg"] === text);
  }
  // Frames of the member were taken, or the test would show nothing.
  const taken = lina.events.filter(
    (e) => e["from"] === "guest" && `${String(e["msg"])}`.startsWith("干扰"),
  );
  // About a tenth of the member's frames are texts that reach the receiver; half of that is asked for.
  expect({ seed, taken: taken.length > ROUNDS / 80 }).toEqual({ seed, taken: true });
  const foreign = lina.events.filter((e) => e["from"] === "wangfang");
  expect({ seed, foreign }).toEqual({ seed, foreign: [] });
  expect(lina.texts(attacked.groupId).filter((text) => text.startsWith("正常"))).toHaveLength(
    healthy,
  );
  expect(seen.filter((one) => one.includes(SECRET) || /"(lina|guest)"/.test(one))).toEqual([]);
  const { rows } = await cast.platform.platform.database.pool.query(
    `SELECT i.user_name, m.sender FROM chat_inbox i JOIN chat_message m ON m.id = i.message_id
     WHERE (m.sender = 'wangfang' AND i.user_name IN ('lina', 'guest'))
        OR (m.sender IN ('lina', 'guest') AND i.user_name = 'wangfang')`,
  );
  expect(rows).toEqual([]);
  // Nobody forged who wrote.
  const senders = await cast.platform.platform.database.pool.query<{ sender: string }>(
    "SELECT DISTINCT sender FROM chat_message ORDER BY sender",
  );
  expect(
    senders.rows.map((r) => r.sender).filter((one) => !["guest", "lina", "wangfang"].includes(one)),
  ).toEqual([]);
  expect({ seed, rejections, faults }).toEqual({ seed, rejections: [], faults: [] });
}, 900_000);

it(`${ROUNDS / 2} mutated REST calls get a clear answer, and tell an outsider nothing`, async () => {
  const seed = seedOf(1147);
  const random = seededRandom(seed);
  const tokens = { guest: await chatToken("guest"), wangfang: await chatToken("wangfang") };
  const healthy = await cast.login("guest", "healthy");
  /** The member may have left by one of the calls. */
  const rejoin = () =>
    cast.refused(lina, "inviteUsersToGroup", { groupId: attacked.groupId, users: ["guest"] });
  const wrong: string[] = [];
  const statuses = new Map<number, number>();
  for (let n = 0; n < ROUNDS / 2; n += 1) {
    if (n % 50 === 0) await rejoin();
    const who = ATTACKERS[n % 2] ?? "guest";
    const { method, path, body } = callOf(random, who, attacked);
    const text =
      body === undefined ? undefined : random() < 0.3 ? JSON.stringify(body) : mutate(random, body);
    const target =
      random() < 0.15
        ? path.replace(/[\w]+$/, () =>
            pick(random, ["%00", "..%2f", "9".repeat(25), "undefined", "%F0%9F%98%80"]),
          )
        : path;
    const response = await fetch(`${cast.platform.origin}/hyzh/console${target}`, {
      method,
      headers: { authorization: `Bearer ${tokens[who]}` },
      ...(text === undefined ? {} : { body: text }),
    });
    const answer = await response.text();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    const what = `${who} ${method} ${target} ${text?.slice(0, 200) ?? ""} -> ${response.status} ${answer.slice(0, 200)}`;
    if (response.status >= 500) wrong.push(`no clear answer: ${what}`);
    if (who === "wangfang" && answer.includes(SECRET)) wrong.push(`tells: ${what}`);
    if (/node_modules|\.ts:\d+|postgres|drizzle|select |insert into/i.test(answer))
      wrong.push(`inside: ${what}`);
  }
  expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  // Both sides were reached.
  expect(statuses.get(200) ?? 0).toBeGreaterThan(ROUNDS / 40);
  const group = await cast.platform.platform.database.pool.query(
    "SELECT name, owner_id = (SELECT id FROM accounts WHERE username = 'lina') AS owned FROM im_groups WHERE id = $1",
    [attacked.groupId],
  );
  expect(group.rows).toEqual([{ name: `${SECRET}巡查`, owned: true }]);
  const inside = await cast.platform.platform.database.pool.query(
    "SELECT FROM im_group_members m JOIN accounts a ON a.id = m.account_id WHERE m.group_id = $1 AND a.username = 'wangfang'",
    [attacked.groupId],
  );
  expect(inside.rowCount).toBe(0);
  // Nothing that was stored on the way keeps a message from its receiver.
  await rejoin();
  const { groupId } = attacked;
  await healthy.sendText(groupId, "之后，在群里");
  const single = { type: "txt", chatType: "singleChat", to: "lina", msg: "之后，单独" };
  await healthy.conn["send"]?.(cast.sdk.message.create(single));
  for (const text of ["之后，在群里", "之后，单独"]) {
    await lina.until(text, (e) => e.handler === "onTextMessage" && e["msg"] === text);
  }
  const history = (await lina.conn["getHistoryMessages"]?.({
    targetId: groupId,
    chatType: "groupChat",
    cursor: -1,
    pageSize: 50,
    searchDirection: "up",
  })) as unknown as { messages: { msg?: string }[] };
  expect(history.messages.map(({ msg }) => msg)).toContain("之后，在群里");
  expect({ seed, rejections, faults }).toEqual({ seed, rejections: [], faults: [] });
}, 900_000);
