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
import {
  COMMAND,
  MessageBodyCodec,
  MSyncCodec,
  SyncUpCodec,
} from "../../src/server/modules/chat/wire.ts";
import { mutate, pick, seededRandom } from "../../src/shared/mutate.harness.ts";
import { repeated, seedOf } from "../support/seed.ts";

/** Half of them frames, half REST calls; each half by the two attackers in turn. */
const ROUNDS = repeated(1000, 10_000);
/** A word that stands in everything of the attacked company. */
const SECRET = "机密";
/** Frames of one socket, below the burst that the gateway allows. */
const PER_SOCKET = 150;

let cast: GroupCast;
let lina: SdkUser;
let groupId = "";
let messageId = "";
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
  groupId = await cast.make(lina, ["guest"], { groupname: `${SECRET}巡查`, public: true });
  messageId = await lina.sendText(groupId, `${SECRET}：泵房钥匙`);
}, 120_000);
afterAll(async () => {
  process.off("unhandledRejection", onRejection);
  cast.closeAll();
  await cast.platform.close();
});

type Random = () => number;
const ATTACKERS = ["guest", "wangfang"] as const;
type Attacker = (typeof ATTACKERS)[number];

/** Tokens of the chat by name. */
async function chatToken(name: string): Promise<string> {
  const account = (await cast.ask(
    name,
    "GET",
    `/user/hx/accountId?${new URLSearchParams({ accountId: cast.accountId[name] ?? "", source: "环信", systemName: "hyzh#console" })}`,
  )) as { userName: string; password: string };
  const response = await fetch(`${cast.platform.origin}/hyzh/console/token`, {
    method: "POST",
    body: JSON.stringify({
      grant_type: "password",
      username: account.userName,
      password: account.password,
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

const NAMES = ["lina", "guest", "wangfang", "zhangwei", "admin", "nobody", "", "@platform", "#1"];
const PAIRS = [
  { key: "k", type: 8, stringValue: "{bad" },
  { key: "k", type: 8, stringValue: '{"a":1}' },
  { key: "groupReadCount", type: 7, stringValue: "x" },
  { key: "", type: 1, varintValue: "9" },
];
/** A valid message, of which a part is then changed. */
function bodyOf(random: Random, id: number, group: boolean): Record<string, unknown> {
  const about = pick(random, [messageId, "1", "0", "18446744073709551615"]);
  const type = random() < 0.5 ? (group ? 2 : 1) : pick(random, [1, 2, 4, 5, 6, 7, 8, 3, 0]);
  const content =
    random() < 0.3
      ? { type: 0, text: `干扰 ${id}` }
      : pick<object>(random, [
          { type: 0, text: `干扰 ${id}` },
          { type: 0, text: `干扰 ${id}` },
          { type: 0, text: `干扰 ${id}` },
          { type: 0, subType: 0, text: "x", title: "t", remotePath: "http://x/y", combineLevel: 1 },
          {
            type: 1,
            remotePath: "javascript:1",
            fileLength: -1,
            size: { width: NaN, height: 1e308 },
          },
          { type: 6, action: pick(random, ["dataChanged", "sendRing", "TypingBegin"]) },
          { type: 7, customEvent: "e", customExts: [pick(random, PAIRS)] },
          { type: 3, latitude: Infinity, longitude: 0, address: "x" },
        ]);
  return {
    type,
    from: { name: pick(random, NAMES) },
    to: { name: pick(random, NAMES) },
    contents: pick<object[]>(random, [[content], [content], [content], [], [content, content]]),
    ...(random() < 0.25 ? { ext: [pick(random, PAIRS)] } : {}),
    ...(type >= 4 && type <= 6 ? { ackMessageId: about } : {}),
    ...(type === 8 ? { editMessageId: about, editScope: 1 } : {}),
    ...(random() < 0.3
      ? {
          meta: pick(random, [
            "{",
            "null",
            '{"isRead":true}',
            '{"reaction":7}',
            '{"edit_msg":[]}',
            '{"thread":1}',
          ]),
        }
      : {}),
  };
}
function frameOf(random: Random, id: number): Uint8Array {
  const group = random() < 0.5;
  const body = MessageBodyCodec.encode(bodyOf(random, id, group) as never);
  const ns = random() < 0.85 ? 1 : pick(random, [0, 2, 3, 5, 6]);
  const meta = {
    id: random() < 0.85 ? String(1_000_000 + id) : pick(random, ["7", "0", "18446744073709551615"]),
    ns,
    from: { appKey: "hyzh#console", name: pick(random, NAMES), domain: "easemob.com" },
    to: {
      appKey: pick(random, ["hyzh#console", "other#app"]),
      name: group
        ? pick(random, [groupId, groupId, groupId, "1", "99999999999999999999"])
        : pick(random, NAMES),
      domain: group ? "conference.easemob.com" : "easemob.com",
    },
    routetype: pick(random, [0, 0, 1, 2]),
    payload: random() < 0.1 ? broken(random, body) : body,
    ...(random() < 0.2 ? { ext: [pick(random, PAIRS)] } : {}),
    ...(random() < 0.2 ? { meta: Buffer.from("{bad") } : {}),
    ...(random() < 0.2 ? { directedUsers: ["lina", "wangfang", "nobody"] } : {}),
  };
  const payload =
    random() < 0.85
      ? SyncUpCodec.encode({ meta } as never)
      : SyncUpCodec.encode({
          queue: { name: pick(random, NAMES), domain: "easemob.com" },
          key: pick(random, ["0", "1", "18446744073709551615"]),
        } as never);
  const command = random() < 0.93 ? COMMAND.sync : pick(random, [1, 2, 3, 9]);
  const whole = MSyncCodec.encode({ command, payload });
  return random() < 0.08 ? broken(random, whole) : whole;
}
/** Cuts, flips or repeats bytes. */
function broken(random: Random, bytes: Uint8Array): Uint8Array {
  const at = Math.floor(random() * bytes.length);
  const kind = random();
  if (kind < 0.3) return bytes.slice(0, at);
  if (kind < 0.8) {
    const copy = Uint8Array.from(bytes);
    for (let n = 0; n < 3; n += 1)
      copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
    return copy;
  }
  return Buffer.concat([bytes.slice(0, at), bytes]);
}

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
      const frames = Array.from({ length: chunk / 2 }, (_, n) => frameOf(random, done * 2 + n));
      await attack(name, frames, tokens[name]);
    }
    // A message in the same inbox arrives.
    const text = `正常 ${(healthy += 1)}`;
    await guest.sendText(groupId, text);
    await lina.until(text, (e) => e.handler === "onTextMessage" && e["msg"] === text);
  }
  // Frames of the member were taken, or the test would show nothing.
  const taken = lina.events.filter(
    (e) => e["from"] === "guest" && `${String(e["msg"])}`.startsWith("干扰"),
  );
  expect(taken.length).toBeGreaterThan(ROUNDS / 400);
  const foreign = lina.events.filter((e) => e["from"] === "wangfang");
  expect({ seed, foreign }).toEqual({ seed, foreign: [] });
  expect(lina.texts(groupId).filter((text) => text.startsWith("正常"))).toHaveLength(healthy);
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

/** Calls with valid inputs, of which parts are then changed. */
function callOf(random: Random, me: string): { method: string; path: string; body: unknown } {
  const name = pick(random, NAMES);
  const G = `/chatgroups/${pick(random, [groupId, "1", "x"])}`;
  const U = `/users/${random() < 0.8 ? me : name}`;
  const S = `/sdk/user/${random() < 0.8 ? me : name}`;
  const place = { type: pick(random, ["chat", "groupchat"]), to: pick(random, [groupId, name]) };
  const [method, path, body] = pick<[string, string, unknown]>(random, [
    [
      "POST",
      `${U}/messageroaming`,
      {
        queue: pick(random, [`${name}@easemob.com`, `${groupId}@conference.easemob.com`]),
        start: -1,
        pull_number: 20,
        is_positive: true,
        msgType: "txt",
        userId: name,
      },
    ],
    ["GET", `${S}/user_channels/list?limit=20&cursor=undefined`, undefined],
    ["GET", `${S}/user_channels/mark/search?mark=mark_1`, undefined],
    ["POST", `${S}/user_channels/mark`, { mark: "mark_1", targets: [place] }],
    ["POST", `${S}/user_channel/top`, place],
    ["POST", `${S}/user_channel/pin`, { ...place, pin_msg_id: messageId }],
    ["GET", `${S}/user_channel/pin?to=${place.to}&type=${place.type}`, undefined],
    ["POST", `${S}/blocks`, { usernames: [pick(random, ["zhangwei", "nobody"])] }],
    [
      "DELETE",
      `/user/${me}/user_channel`,
      { channel: place.to, type: place.type, delete_roam: true },
    ],
    [
      "DELETE",
      `/sdk/message/roaming/group/user/${me}?groupId=${groupId}&msgIdList=${messageId}`,
      undefined,
    ],
    [
      "POST",
      `/user/${me}/moderation/report/message/${messageId}`,
      { reportType: "x", reportReason: "y" },
    ],
    ["POST", `/reaction/user/${me}`, { msgId: messageId, message: "👍" }],
    [
      "GET",
      `/reaction/user/${me}?msgIdList=${messageId}&msgType=groupchat&groupId=${groupId}`,
      undefined,
    ],
    ["POST", `${U}/contacts/apply`, { usernames: [name], reason: "x" }],
    ["PUT", `${U}/contacts/users/${name}`, { remark: "x" }],
    ["POST", `${U}/contacts/accept/users/${name}`, {}],
    ["GET", `${U}/contacts?limit=5&cursor=`, undefined],
    ["POST", `${U}/presence/60`, { usernames: [name] }],
    ["POST", `${U}/presence/web/1`, { ext: "x" }],
    ["PUT", `/metadata/user/${me}`, { nickname: "x" }],
    ["POST", "/metadata/user/get", { targets: ["lina", name], properties: ["nickname"] }],
    ["PUT", `${U}/notification/user/${name}`, { type: "NONE" }],
    ["PUT", U, { nickname: "x" }],
    [
      "POST",
      "/chatgroups",
      { owner: me, groupname: "x", desc: "x", members: [name], public: true },
    ],
    ["GET", G, undefined],
    ["GET", `${G}/users?pagenum=1&pagesize=10`, undefined],
    ["PUT", G, { groupname: "夺取" }],
    ["PUT", G, { newowner: me }],
    ["POST", `${G}/invite`, { usernames: [name] }],
    ["POST", `${G}/apply`, { message: "x" }],
    ["POST", `${G}/admin`, { newadmin: me }],
    ["POST", `${G}/mute`, { usernames: ["lina"], mute_duration: 1000 }],
    ["POST", `${G}/ban`, undefined],
    ["GET", `/sdk/chatgroups/${groupId}/mute/${me}`, undefined],
    ["POST", `${G}/blocks/users`, { usernames: ["lina"] }],
    ["POST", `${G}/white/users`, { usernames: [me] }],
    ["POST", `${G}/invite_verify`, { invitee: me, verifyResult: true }],
    ["POST", `${G}/apply_verify`, { applicant: name, verifyResult: true, reason: "x" }],
    ["GET", `${G}/share_files?pagenum=1&pagesize=10`, undefined],
    [
      "DELETE",
      `${G}/share_files/${pick(random, ["x", "00000000-0000-0000-0000-000000000000"])}`,
      {},
    ],
    ["DELETE", G, undefined],
    ["POST", `${G}/announcement`, { announcement: "x" }],
    ["GET", `${G}/announcement`, undefined],
    ["GET", `${G}/acks/${messageId}?limit=500&key=undefined`, undefined],
    ["PUT", `/sdk/metadata/chatgroup/${groupId}/user/lina`, { metaData: { nickName: "x" } }],
    ["DELETE", `${G}/users/lina`, undefined],
    ["GET", "/publicchatgroups?limit=20&cursor=undefined", undefined],
  ]);
  return { method, path, body };
}

it(`${ROUNDS / 2} mutated REST calls get a clear answer, and tell an outsider nothing`, async () => {
  const seed = seedOf(1147);
  const random = seededRandom(seed);
  const tokens = { guest: await chatToken("guest"), wangfang: await chatToken("wangfang") };
  const wrong: string[] = [];
  const statuses = new Map<number, number>();
  for (let n = 0; n < ROUNDS / 2; n += 1) {
    const who = ATTACKERS[n % 2] ?? "guest";
    const { method, path, body } = callOf(random, who);
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
    [groupId],
  );
  expect(group.rows).toEqual([{ name: `${SECRET}巡查`, owned: true }]);
  const inside = await cast.platform.platform.database.pool.query(
    "SELECT FROM im_group_members m JOIN accounts a ON a.id = m.account_id WHERE m.group_id = $1 AND a.username = 'wangfang'",
    [groupId],
  );
  expect(inside.rowCount).toBe(0);
  expect({ seed, rejections, faults }).toEqual({ seed, rejections: [], faults: [] });
}, 900_000);
