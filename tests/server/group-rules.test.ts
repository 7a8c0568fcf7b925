/**
 * Five people, one of them of another company, do random things with a group by the provider's unmodified SDK. A model of the rules
 * (docs/chat.md#groups) says what is refused and what becomes of the group; the gateway and the console's own calls then say the same.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  createGroupCast,
  type GroupCast,
} from "../../src/server/modules/chat/groups/cast.harness.ts";
import type { SdkUser } from "../../src/server/modules/chat/groups/sdk.harness.ts";
import { pick, seededRandom } from "../../src/shared/mutate.harness.ts";
import {
  createDrawing,
  FIRST_TEXTS,
  GROUP_RULES,
  type GroupAct,
  type GroupModel,
  isInside,
  otherText,
  rules,
  STRANGER,
} from "../support/group-model.ts";
import { repeated, seedOf } from "../support/seed.ts";

const STEPS = repeated(200, 1500);
const COLLEAGUES = ["zhangwei", "lina", "guest", "admin"] as const;
const NAMES = [...COLLEAGUES, STRANGER];
/** ms; no mute ends during the test. */
const MUTE = 3_600_000;

let cast: GroupCast;
const users = new Map<string, SdkUser>();
beforeAll(async () => {
  cast = await createGroupCast(NAMES);
  for (const name of NAMES) users.set(name, await cast.login(name));
}, 120_000);
afterAll(async () => {
  cast.closeAll();
  await cast.platform.close();
});

const as = (name: string): SdkUser => {
  const user = users.get(name);
  if (user === undefined) throw new Error(`${name} is not logged in`);
  return user;
};

/** @returns the type of the refusal, or "not refused" */
type Run = (m: GroupModel, actor: string, other: string) => Promise<unknown>;
const sdk =
  (method: string, given: (other: string, actor: string) => object): Run =>
  ({ id }, actor, other) =>
    cast.refused(as(actor), method, { groupId: id, ...given(other, actor) });
const nothing = (): object => ({});
const toOther = (username: string): object => ({ username });
const byInvitee = (_other: string, actor: string): object => ({ invitee: actor });
const ofApplicant = (applicant: string): object => ({ applicant, reason: "" });
const setting =
  (key: keyof GroupModel["settings"]): Run =>
  async (m, actor) => {
    // The model has changed by now, if it may.
    const value = rules(m, actor) ? m.settings[key] : !m.settings[key];
    const { status } = await cast.platform.ask("PUT", `/dc-im/api/group/${m.id}`, {
      token: cast.token[actor] ?? "",
      json: { [key]: value },
    });
    return status === 200 ? "not refused" : status;
  };

/** The text that the step writes: the model has changed by now, if it may. */
const text = (m: GroupModel, actor: string, key: keyof GroupModel["texts"]): string =>
  rules(m, actor) ? m.texts[key] : otherText(m, key);
const texts =
  (key: "name" | "description"): Run =>
  (m, actor) => {
    const [name, description] = (["name", "description"] as const).map((one) =>
      one === key ? text(m, actor, one) : m.texts[one],
    );
    const given = { groupId: m.id, groupName: name, description };
    return cast.refused(as(actor), "modifyGroup", given);
  };

const RUNS: Readonly<Record<GroupAct, Run>> = {
  write: ({ id }, actor) => cast.refusedText(as(actor), id),
  invite: sdk("inviteUsersToGroup", (other) => ({ users: [other] })),
  "accept the invitation": sdk("acceptGroupInvite", byInvitee),
  "decline the invitation": sdk("rejectGroupInvite", byInvitee),
  join: sdk("joinGroup", () => ({ message: "值班" })),
  "approve the application": sdk("acceptGroupJoinRequest", ofApplicant),
  "turn the application down": sdk("rejectGroupJoinRequest", ofApplicant),
  remove: sdk("removeGroupMember", toOther),
  leave: sdk("leaveGroup", nothing),
  "name an admin": sdk("setGroupAdmin", toOther),
  "end an admin's office": sdk("removeGroupAdmin", toOther),
  "hand over": sdk("changeGroupOwner", (newOwner) => ({ newOwner })),
  mute: sdk("muteGroupMember", (username) => ({ username, muteDuration: MUTE })),
  "end the mute": sdk("unmuteGroupMember", toOther),
  "mute all": sdk("disableSendGroupMsg", nothing),
  "end the mute of all": sdk("enableSendGroupMsg", nothing),
  block: sdk("blockGroupMember", toOther),
  "end the block": sdk("unblockGroupMember", toOther),
  allow: sdk("addUsersToGroupAllowlist", (other) => ({ users: [other] })),
  "allow no more": sdk("removeGroupAllowlistMember", (userName) => ({ userName })),
  "change public": setting("public"),
  "change approval": setting("approval"),
  "change allowinvites": setting("allowinvites"),
  "change inviteconfirm": setting("inviteconfirm"),
  rename: texts("name"),
  describe: texts("description"),
  announce: (m, actor) =>
    cast.refused(as(actor), "updateGroupAnnouncement", {
      groupId: m.id,
      announcement: text(m, actor, "announcement"),
    }),
};

async function begin(random: () => number): Promise<GroupModel> {
  const owner = pick(random, COLLEAGUES);
  const members = random() < 0.5 ? COLLEAGUES : [owner];
  const [approval, inviteconfirm] = [random() < 0.5, random() < 0.5];
  const settings = { public: true, approval, allowinvites: true, inviteconfirm };
  const asked = inviteconfirm ? members.filter((name) => name !== owner) : [];
  return {
    id: await cast.make(as(owner), members, {
      approval,
      inviteNeedConfirm: inviteconfirm,
      groupname: FIRST_TEXTS.name,
      desc: FIRST_TEXTS.description,
    }),
    owner,
    members: new Set(inviteconfirm ? [owner] : members),
    admins: new Set(),
    allowed: new Set(),
    blocked: new Set(),
    muted: new Set(),
    waiting: new Map(asked.map((name) => [name, "invited"] as const)),
    quiet: false,
    settings,
    texts: FIRST_TEXTS,
  };
}

const sorted = (names: Iterable<string>): string[] => [...names].sort();
/** The group as the model has it, and as the gateway and the console's own calls show it. */
const modelled = (m: GroupModel) => ({
  owner: m.owner,
  members: sorted(m.members),
  mirror: sorted(m.members),
  admins: sorted(m.admins),
  muted: sorted([...m.muted].filter((name) => isInside(m, name))),
  allowed: sorted(m.allowed),
  blocked: sorted(m.blocked),
  applied: sorted([...m.waiting].filter(([, how]) => how === "applied").map(([name]) => name)),
  quiet: m.quiet,
  texts: m.texts,
});
async function shown({ id, owner }: GroupModel): Promise<ReturnType<typeof modelled>> {
  const ask = (method: string): Promise<unknown> => cast.call(as(owner), method, { groupId: id });
  const [[info], admins, muted, allowed, blocked, { announcement }] = (await Promise.all([
    ask("getGroupInfo"),
    ask("getGroupAdmin"),
    ask("getGroupMuteList"),
    ask("getGroupAllowlist"),
    ask("getGroupBlocklist"),
    ask("fetchGroupAnnouncement"),
  ])) as [
    [{ owner: string; mute: boolean; name: string; description: string }],
    string[],
    { user: string }[],
    string[],
    string[],
    { announcement: string },
  ];
  const page = "/groupRequests?cursor=1&limit=100&searchCount=false";
  const { records: requests } = (await cast.ask(owner, "GET", page)) as {
    records: { groupId: string; kind: string; userName: string }[];
  };
  return {
    owner: info.owner,
    members: await cast.members(as(owner), id),
    mirror: await cast.mirror(owner, id),
    admins: sorted(admins),
    muted: sorted(muted.map(({ user }) => user)),
    allowed: sorted(allowed),
    blocked: sorted(blocked),
    applied: sorted(
      requests
        .filter((one) => one.groupId === id && one.kind === "application")
        .map(({ userName }) => userName),
    ),
    quiet: info.mute,
    texts: { name: info.name, description: info.description, announcement },
  };
}

it(`${STEPS} random steps leave the group as the rules say, at the gateway and in the console's own calls`, async () => {
  const seed = seedOf(2027);
  const random = seededRandom(seed);
  const drawing = createDrawing(random, Object.keys(GROUP_RULES) as GroupAct[], NAMES);
  let model = await begin(random);
  const steps: string[] = [];
  for (let n = 0; n < STEPS; n += 1) {
    const { act, actor, other } = drawing.draw(model);
    steps.push(`${n}: ${actor}, ${act}, ${other}`);
    const expected = GROUP_RULES[act](model, actor, other);
    const refusal = await RUNS[act](model, actor, other);
    const about = { seed, steps: steps.slice(-8) };
    expect({ ...about, done: refusal === "not refused" }).toEqual({ ...about, done: expected });
    expect({ ...about, group: await shown(model) }).toEqual({ ...about, group: modelled(model) });
    drawing.count(act, expected);
    if (random() < 0.02) {
      await cast.call(as(model.owner), "destroyGroup", { groupId: model.id });
      for (const name of NAMES) {
        expect(await cast.refusedText(as(name), model.id)).toBe(605);
      }
      model = await begin(random);
    }
  }
  // Nothing was left untried, or the test would show less than it says.
  expect({ seed, untried: drawing.untried() }).toEqual({ seed, untried: [] });
}, 1_200_000);
