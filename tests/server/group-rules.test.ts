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
import { repeated, seedOf } from "../support/seed.ts";

const STEPS = repeated(200, 1500);
const COLLEAGUES = ["zhangwei", "lina", "guest", "admin"] as const;
/** Works in another company than the group's. */
const STRANGER = "wangfang";
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

interface Model {
  readonly id: string;
  owner: string;
  readonly members: Set<string>;
  readonly admins: Set<string>;
  readonly allowed: Set<string>;
  readonly blocked: Set<string>;
  /** Also of people who are outside. */
  readonly muted: Set<string>;
  readonly waiting: Map<string, "invited" | "applied">;
  quiet: boolean;
  settings: { public: boolean; approval: boolean; allowinvites: boolean; inviteconfirm: boolean };
}

const as = (name: string): SdkUser => {
  const user = users.get(name);
  if (user === undefined) throw new Error(`${name} is not logged in`);
  return user;
};
const inside = (m: Model, name: string): boolean => m.members.has(name);
const rules = (m: Model, name: string): boolean => m.owner === name || m.admins.has(name);
/** Whether `name` may act against the other: nobody against the owner, the owner alone against admins. */
const above = (m: Model, name: string, other: string): boolean =>
  rules(m, name) && other !== m.owner && (!m.admins.has(other) || m.owner === name);
const enters = (m: Model, name: string): void => {
  m.members.add(name);
  m.waiting.delete(name);
};
const goes = (m: Model, name: string): void => {
  for (const set of [m.members, m.admins, m.allowed]) set.delete(name);
};

interface Act {
  readonly what: string;
  /** @returns whether it is done. The model is then changed */
  allowed(m: Model, actor: string, other: string): boolean;
  /** @returns the type of the refusal, or "not refused" */
  run(m: Model, actor: string, other: string): Promise<unknown>;
}
const sdk =
  (method: string, given: (id: string, other: string, actor: string) => object): Act["run"] =>
  ({ id }, actor, other) =>
    cast.refused(as(actor), method, { groupId: id, ...given(id, other, actor) });

const ACTS: readonly Act[] = [
  {
    what: "write",
    allowed: (m, actor) =>
      inside(m, actor) &&
      !m.muted.has(actor) &&
      (!m.quiet || rules(m, actor) || m.allowed.has(actor)),
    run: ({ id }, actor) => cast.refusedText(as(actor), id),
  },
  {
    what: "invite",
    allowed(m, actor, other) {
      const may = inside(m, actor) && (m.settings.allowinvites || rules(m, actor));
      if (!may || inside(m, other) || other === STRANGER || m.blocked.has(other)) return false;
      if (m.settings.inviteconfirm) m.waiting.set(other, "invited");
      else enters(m, other);
      return true;
    },
    run: sdk("inviteUsersToGroup", (_id, other) => ({ users: [other] })),
  },
  ...[true, false].map((accept): Act => ({
    what: accept ? "accept the invitation" : "decline the invitation",
    allowed(m, actor) {
      if (m.waiting.get(actor) !== "invited") return false;
      m.waiting.delete(actor);
      if (accept) enters(m, actor);
      return true;
    },
    run: sdk(accept ? "acceptGroupInvite" : "rejectGroupInvite", (_id, _other, actor) => ({
      invitee: actor,
    })),
  })),
  {
    what: "join",
    allowed(m, actor) {
      if (inside(m, actor)) return true;
      if (!m.settings.public || actor === STRANGER || m.blocked.has(actor)) return false;
      if (m.settings.approval && m.waiting.get(actor) !== "invited") {
        m.waiting.set(actor, "applied");
      } else enters(m, actor);
      return true;
    },
    run: sdk("joinGroup", () => ({ message: "值班" })),
  },
  ...[true, false].map((accept): Act => ({
    what: accept ? "approve the application" : "turn the application down",
    allowed(m, actor, other) {
      if (!rules(m, actor) || m.waiting.get(other) !== "applied") return false;
      m.waiting.delete(other);
      if (accept) enters(m, other);
      return true;
    },
    run: sdk(accept ? "acceptGroupJoinRequest" : "rejectGroupJoinRequest", (_id, other) => ({
      applicant: other,
      reason: "",
    })),
  })),
  {
    what: "remove",
    allowed(m, actor, other) {
      if (!above(m, actor, other) || !inside(m, other)) return false;
      goes(m, other);
      return true;
    },
    run: sdk("removeGroupMember", (_id, other) => ({ username: other })),
  },
  {
    what: "leave",
    allowed(m, actor) {
      if (!inside(m, actor) || m.owner === actor) return false;
      goes(m, actor);
      return true;
    },
    run: sdk("leaveGroup", () => ({})),
  },
  ...[true, false].map((admin): Act => ({
    what: admin ? "name an admin" : "end an admin's office",
    allowed(m, actor, other) {
      if (m.owner !== actor || other === actor || !inside(m, other)) return false;
      if (admin) m.admins.add(other);
      else m.admins.delete(other);
      return true;
    },
    run: sdk(admin ? "setGroupAdmin" : "removeGroupAdmin", (_id, other) => ({ username: other })),
  })),
  {
    what: "hand over",
    allowed(m, actor, other) {
      if (m.owner !== actor || !inside(m, other)) return false;
      m.owner = other;
      m.admins.delete(other);
      m.muted.delete(other);
      return true;
    },
    run: sdk("changeGroupOwner", (_id, other) => ({ newOwner: other })),
  },
  ...[true, false].map((mute): Act => ({
    what: mute ? "mute" : "end the mute",
    allowed(m, actor, other) {
      if (!above(m, actor, other) || !inside(m, other)) return false;
      if (mute) m.muted.add(other);
      else m.muted.delete(other);
      return true;
    },
    run: sdk(mute ? "muteGroupMember" : "unmuteGroupMember", (_id, other) => ({
      username: other,
      ...(mute ? { muteDuration: MUTE } : {}),
    })),
  })),
  ...[true, false].map((quiet): Act => ({
    what: quiet ? "mute all" : "end the mute of all",
    allowed(m, actor) {
      if (!rules(m, actor)) return false;
      m.quiet = quiet;
      return true;
    },
    run: sdk(quiet ? "disableSendGroupMsg" : "enableSendGroupMsg", () => ({})),
  })),
  {
    what: "block",
    allowed(m, actor, other) {
      if (!above(m, actor, other)) return false;
      goes(m, other);
      m.waiting.delete(other);
      m.blocked.add(other);
      return true;
    },
    run: sdk("blockGroupMember", (_id, other) => ({ username: other })),
  },
  {
    what: "end the block",
    allowed(m, actor, other) {
      if (!rules(m, actor)) return false;
      m.blocked.delete(other);
      return true;
    },
    run: sdk("unblockGroupMember", (_id, other) => ({ username: other })),
  },
  ...[true, false].map((on): Act => ({
    what: on ? "allow" : "allow no more",
    allowed(m, actor, other) {
      if (!rules(m, actor) || !inside(m, other)) return false;
      if (on) m.allowed.add(other);
      else m.allowed.delete(other);
      return true;
    },
    run: sdk(on ? "addUsersToGroupAllowlist" : "removeGroupAllowlistMember", (_id, other) =>
      on ? { users: [other] } : { userName: other },
    ),
  })),
  ...(["public", "approval", "allowinvites", "inviteconfirm"] as const).map((key): Act => ({
    what: `change ${key}`,
    allowed(m, actor) {
      if (!rules(m, actor)) return false;
      m.settings = { ...m.settings, [key]: !m.settings[key] };
      return true;
    },
    async run(m, actor) {
      // The model has changed by now, if it may.
      const value = rules(m, actor) ? m.settings[key] : !m.settings[key];
      const { status } = await cast.platform.ask("PUT", `/dc-im/api/group/${m.id}`, {
        token: cast.token[actor] ?? "",
        json: { [key]: value },
      });
      return status === 200 ? "not refused" : status;
    },
  })),
];

async function begin(random: () => number): Promise<Model> {
  const owner = pick(random, COLLEAGUES);
  const members = random() < 0.5 ? COLLEAGUES : [owner];
  const [approval, inviteconfirm] = [random() < 0.5, random() < 0.5];
  const settings = { public: true, approval, allowinvites: true, inviteconfirm };
  const asked = inviteconfirm ? members.filter((name) => name !== owner) : [];
  return {
    id: await cast.make(as(owner), members, { approval, inviteNeedConfirm: inviteconfirm }),
    owner,
    members: new Set(inviteconfirm ? [owner] : members),
    admins: new Set(),
    allowed: new Set(),
    blocked: new Set(),
    muted: new Set(),
    waiting: new Map(asked.map((name) => [name, "invited"] as const)),
    quiet: false,
    settings,
  };
}

interface Step {
  readonly act: Act;
  readonly actor: string;
  readonly other: string;
}
const stateOf = (m: Model): string =>
  JSON.stringify(m, (_key, value: unknown) =>
    value instanceof Set || value instanceof Map ? [...value] : value,
  );
const COMBINATIONS: readonly Step[] = ACTS.flatMap((act) =>
  NAMES.flatMap((actor) => NAMES.map((other) => ({ act, actor, other }))),
);
/** A step that the rules allow, or one that they refuse, of the acts of which that happened least. */
function draw(random: () => number, m: Model, times: (act: Act, allowed: boolean) => number): Step {
  const wanted = random() < 0.6;
  const before = stateOf(m);
  const fits = COMBINATIONS.filter(({ act, actor, other }) => {
    const after = structuredClone(m);
    if (act.allowed(after, actor, other) !== wanted) return false;
    // What is allowed and changes nothing shows little.
    return !wanted || act.what === "write" || stateOf(after) !== before;
  });
  const least = Math.min(...fits.map(({ act }) => times(act, wanted)));
  const rare = fits.filter(({ act }) => times(act, wanted) === least);
  return pick(random, random() < 0.2 ? fits : rare);
}

const sorted = (names: Iterable<string>): string[] => [...names].sort();
/** The group as the model has it, and as the gateway and the console's own calls show it. */
const modelled = (m: Model) => ({
  owner: m.owner,
  members: sorted(m.members),
  mirror: sorted(m.members),
  admins: sorted(m.admins),
  muted: sorted([...m.muted].filter((name) => inside(m, name))),
  allowed: sorted(m.allowed),
  blocked: sorted(m.blocked),
  applied: sorted([...m.waiting].filter(([, how]) => how === "applied").map(([name]) => name)),
  quiet: m.quiet,
});
async function shown({ id, owner }: Model): Promise<ReturnType<typeof modelled>> {
  const ask = (method: string): Promise<unknown> => cast.call(as(owner), method, { groupId: id });
  const [[info], admins, muted, allowed, blocked] = (await Promise.all([
    ask("getGroupInfo"),
    ask("getGroupAdmin"),
    ask("getGroupMuteList"),
    ask("getGroupAllowlist"),
    ask("getGroupBlocklist"),
  ])) as [[{ owner: string; mute: boolean }], string[], { user: string }[], string[], string[]];
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
  };
}

it(`${STEPS} random steps leave the group as the rules say, at the gateway and in the console's own calls`, async () => {
  const seed = seedOf(2027);
  const random = seededRandom(seed);
  const done = new Map<string, { done: number; refused: number }>();
  let model = await begin(random);
  const steps: string[] = [];
  for (let n = 0; n < STEPS; n += 1) {
    const { act, actor, other } = draw(
      random,
      model,
      ({ what }, allowed) => done.get(what)?.[allowed ? "done" : "refused"] ?? 0,
    );
    const step = `${n}: ${actor}, ${act.what}, ${other}`;
    steps.push(step);
    const expected = act.allowed(model, actor, other);
    const refusal = await act.run(model, actor, other);
    const about = { seed, steps: steps.slice(-8) };
    expect({ ...about, done: refusal === "not refused" }).toEqual({ ...about, done: expected });
    expect({ ...about, group: await shown(model) }).toEqual({ ...about, group: modelled(model) });
    const count = done.get(act.what) ?? { done: 0, refused: 0 };
    count[expected ? "done" : "refused"] += 1;
    done.set(act.what, count);
    if (random() < 0.02) {
      await cast.call(as(model.owner), "destroyGroup", { groupId: model.id });
      for (const name of NAMES) {
        expect(await cast.refusedText(as(name), model.id)).toBe(605);
      }
      model = await begin(random);
    }
  }
  // Nothing was left untried, or the test would show less than it says.
  const untried = ACTS.filter(({ what }) => {
    const count = done.get(what) ?? { done: 0, refused: 0 };
    return count.done === 0 || count.refused === 0;
  });
  expect({ seed, untried: untried.map(({ what }) => what) }).toEqual({ seed, untried: [] });
}, 1_200_000);
