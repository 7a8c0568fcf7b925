/**
 * What the provider's SDK can ask and this gateway does not serve is refused by a type that the SDK knows, so that no promise stays open;
 * older names of what it serves do the same as the new ones (docs/chat.md#provider-calls). With the unmodified SDK.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Person, startSdkPeople, type SdkPeople } from "./sdk-people.harness.ts";

let people: SdkPeople;
let lina: Person;
beforeAll(async () => {
  people = await startSdkPeople();
  lina = await people.login("lina");
}, 60_000);
afterAll(async () => {
  people.leave();
  await people.close();
});

/** The SDK's words for what the server does not know, and for a message that it does not take. */
const [UNKNOWN, NOT_TAKEN] = [17, 503];
/** What calls of chat rooms and threads may ask for. */
const ANY = {
  roomId: "7",
  chatRoomId: "7",
  id: "7",
  chatThreadId: "7",
  chatThreadIds: ["7"],
  parentId: "7",
  messageId: "1",
  name: "讨论",
  description: "讨论",
  subject: "讨论",
  maxusers: 9,
  members: [],
  cursor: "",
  limit: 20,
  pagenum: 1,
  pageNum: 1,
  pagesize: 20,
  pageSize: 20,
  username: "a",
  userName: "a",
  usernames: ["a"],
  users: ["a"],
  muteDuration: 1000,
  attributeKey: "a",
  attributeValue: "b",
  attributeKeys: ["a"],
  attributes: { a: "b" },
  autoDelete: true,
  isForced: false,
  announcement: "讨论",
  chatRoomName: "讨论",
  fileId: "1",
};
/** The SDK gives no promise for these. */
const WITHOUT_PROMISE = /SharedFile/;
const methodsOf = (conn: object, pattern: RegExp): string[] => {
  const found = new Set<string>();
  for (let at: object | null = conn; at !== null; at = Object.getPrototypeOf(at) as object | null)
    for (const name of Object.getOwnPropertyNames(at)) if (pattern.test(name)) found.add(name);
  return [...found].filter((name) => !WITHOUT_PROMISE.test(name)).toSorted();
};
async function expectRefused(methods: readonly (readonly [string, unknown])[]): Promise<void> {
  const types = await Promise.all(
    methods.map(async ([name, given]) => [name, await lina.refused(name, given as object)]),
  );
  const others = types.filter(([, type]) => type !== UNKNOWN && type !== NOT_TAKEN);
  expect(others).toEqual([]);
}

it.each([
  ["Chat rooms", /ChatRoom|chatRoom/, 45],
  ["Threads", /ChatThread/, 10],
] as const)("%s are refused", async (_, pattern, least) => {
  const methods = methodsOf(lina.user.conn, pattern);
  expect(methods.length).toBeGreaterThan(least);
  await expectRefused(methods.map((name) => [name, ANY]));
});

it("Translation, speech, push languages and the provider's own calls are refused", async () => {
  await expectRefused([
    ["translateMessage", { text: "你好", languages: ["en"] }],
    ["getSupportedLanguages", {}],
    ["voiceMessageToText", { messageId: "1", url: "x", type: "audio" }],
    ["getPushPerformLanguage", {}],
    ["setPushPerformLanguage", { language: "en" }],
    ["getRTCToken", { channel: "a", agoraUid: 1 }],
    ["getUserIdByRTCUIds", [1]],
    // Two lists of conversations from before getServerConversations.
    ["getSessionList", {}],
    ["getConversationlist", { pageNum: 1, pageSize: 20 }],
  ]);
});

it("Older names of people and groups are served", async () => {
  for (const [name, given] of [
    ["getRoster", {}],
    ["getBlacklist", {}],
    ["addUsersToBlacklist", { name: ["wangfang"] }],
    ["removeUserFromBlackList", { name: ["wangfang"] }],
    ["getGroup", {}],
    ["listGroups", { limit: 5 }],
    ["fetchHistoryMessages", { queue: "zhangwei", count: 5 }],
    ["deleteSession", { channel: "zhangwei", chatType: "singleChat", deleteRoam: false }],
    ["updateOwnUserInfo", { sign: "在岗" }],
    ["getSubscribedPresenceList", { pageNum: 1, pageSize: 10 }],
    ["getReactionList", { chatType: "singleChat", messageId: "1" }],
  ] as const) {
    expect([name, await lina.refused(name, given)]).toEqual([name, "not refused"]);
  }
});
