/** Frames and REST calls of the chat with something wrong in them, drawn from a seed. */
import {
  COMMAND,
  MessageBodyCodec,
  MSyncCodec,
  SyncUpCodec,
} from "../../src/server/modules/chat/wire/wire.ts";
import { pick } from "../../src/shared/mutate.harness.ts";

export type Random = () => number;
/** What the frames and calls are about. */
export interface Attacked {
  readonly groupId: string;
  readonly messageId: string;
}

const NAMES = ["lina", "guest", "wangfang", "zhangwei", "admin", "nobody", "", "@platform", "#1"];
const PAIRS = [
  { key: "k", type: 8, stringValue: "{bad" },
  { key: "k", type: 8, stringValue: '{"a":1}' },
  { key: "groupReadCount", type: 7, stringValue: "x" },
  { key: "", type: 1, varintValue: "9" },
];
/** A valid message, of which a part is then changed. */
function bodyOf(
  random: Random,
  id: number,
  group: boolean,
  { messageId }: Attacked,
): Record<string, unknown> {
  const about = pick(random, [messageId, "1", "0", "18446744073709551615"]);
  const type = random() < 0.7 ? (group ? 2 : 1) : pick(random, [1, 2, 4, 5, 6, 7, 8, 3, 0]);
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
/** A frame, most of them valid. @param id tells its message from those of other frames */
export function frameOf(random: Random, id: number, attacked: Attacked): Uint8Array {
  const { groupId } = attacked;
  const group = random() < 0.5;
  const body = MessageBodyCodec.encode(bodyOf(random, id, group, attacked) as never);
  const ns = random() < 0.85 ? 1 : pick(random, [0, 2, 3, 5, 6]);
  const meta = {
    id: random() < 0.85 ? String(1_000_000 + id) : pick(random, ["7", "0", "18446744073709551615"]),
    ns,
    from: { appKey: "hyzh#console", name: pick(random, NAMES), domain: "easemob.com" },
    to: {
      appKey: random() < 0.9 ? "hyzh#console" : "other#app",
      name: group
        ? pick(random, [groupId, groupId, groupId, "1", "99999999999999999999"])
        : random() < 0.6
          ? "lina"
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

type Call = [method: string, path: string, body: unknown];
/** Ends of what other calls begin, calls of files, and lists. @param U the path of a user; G of a group */
function further(
  random: Random,
  me: string,
  U: string,
  G: string,
  name: string,
  { groupId, messageId }: Attacked,
): Call[] {
  const uuid = pick(random, ["x", "00000000-0000-4000-8000-000000000000", "%00"]);
  const attributes = { targets: ["lina", name], properties: ["nickName"] };
  return [
    ["DELETE", `${G}/quit`, undefined],
    [pick(random, ["POST", "DELETE"]), `${G}/shield`, undefined],
    ["DELETE", `${G}/admin/${pick(random, [me, "lina"])}`, undefined],
    ["DELETE", `${G}/mute/${pick(random, [me, "lina", `lina,${name}`])}`, undefined],
    ["DELETE", `${G}/ban`, undefined],
    ["GET", `${G}/${pick(random, ["admin", "mute", "blocks/users", "white/users"])}`, undefined],
    ["DELETE", `${G}/blocks/users/${pick(random, [me, "lina"])}`, undefined],
    ["DELETE", `${G}/white/users/${me}`, undefined],
    ["GET", `${G}/white/users/${name}`, undefined],
    ["POST", `/sdk/metadata/chatgroup/${groupId}/get`, attributes],
    ["GET", `${G}/share_files/${uuid}`, undefined],
    ["GET", `/chatgroups/user/${me}?pagenum=0&pagesize=20&needAffiliations=true`, undefined],
    ["GET", `/chatgroups/user/${me}/joined_count`, undefined],
    ["GET", `${U}/joined_chatgroups?pagenum=0&pagesize=20`, undefined],
    ["POST", `${U}/contacts/decline/users/${name}`, {}],
    ["DELETE", `${U}/contacts/users/${name}`, undefined],
    ["GET", `${U}/contacts/users?needReturnRemark=true`, undefined],
    ["GET", `${U}/blocks/users`, undefined],
    ["DELETE", `/sdk/user/${me}/blocks`, { usernames: ["zhangwei"] }],
    [
      "DELETE",
      `/sdk/user/${me}/user_channel/pin`,
      { type: "groupchat", to: groupId, pin_msg_id: messageId },
    ],
    ["DELETE", `/sdk/user/${me}/user_channel/top?type=groupchat&to=${groupId}`, undefined],
    [
      "DELETE",
      `/sdk/user/${me}/user_channels/mark`,
      { mark: "mark_1", targets: [{ type: "chat", to: name }] },
    ],
    ["DELETE", `/sdk/message/roaming/chat/user/${me}/time?userId=${name}&delTime=1`, undefined],
    ["POST", `/sdk/message/roaming/user/${me}/delete/all`, undefined],
    ["DELETE", `/reaction/user/${me}?msgId=${messageId}&message=%F0%9F%91%8D`, undefined],
    [
      "GET",
      `/reaction/user/${me}/detail?msgId=${messageId}&message=%F0%9F%91%8D&currentPage=&pageSize=20`,
      undefined,
    ],
    ["POST", `${U}/presence`, { usernames: ["lina", name] }],
    ["DELETE", `${U}/presence`, ["lina", name]],
    ["GET", `${U}/presence/sublist?pageNum=1&pageSize=20`, undefined],
    ["GET", `${U}/notification/${pick(random, ["user", "chatgroup"])}/${groupId}`, undefined],
    ["GET", `${U}/notification?user=lina,${name}&group=${groupId}`, undefined],
    ["GET", `${U}/notification/mute/type?limit=20`, undefined],
    ["GET", `${U}/resources`, undefined],
    ["POST", `/chatfiles?chat-type=GROUP&chat-target=${groupId}`, { file: "x" }],
    ["GET", `/chatfiles/${uuid}?share-secret=x&thumbnail=true`, undefined],
    ["HEAD", `/chatfiles/resumable/${uuid}`, undefined],
  ];
}

/** A call of the provider with valid inputs, of which parts are then changed. @param me the user name of who calls */
export function callOf(
  random: Random,
  me: string,
  { groupId, messageId }: Attacked,
): { method: string; path: string; body: unknown } {
  const name = pick(random, NAMES);
  const G = `/chatgroups/${pick(random, [groupId, "1", "x"])}`;
  const U = `/users/${random() < 0.8 ? me : name}`;
  const S = `/sdk/user/${random() < 0.8 ? me : name}`;
  const place = { type: pick(random, ["chat", "groupchat"]), to: pick(random, [groupId, name]) };
  const [method, path, body] = pick<Call>(random, [
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
    ...further(random, me, U, G, name, { groupId, messageId }),
  ]);
  return { method, path, body };
}
