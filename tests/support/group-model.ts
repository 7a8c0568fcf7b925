/** A model of a chat group's rules (docs/chat.md#groups): who may do what, and what becomes of the group. */
import { pick } from "../../src/shared/mutate.harness.ts";

export interface GroupModel {
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
  texts: { name: string; description: string; announcement: string };
}

/** What the texts of a group change between. */
const TEXTS = {
  name: ["值班联络", "夜班联络"],
  description: ["", "夜间与节假日的值班安排"],
  announcement: ["", "今晚八点联动测试"],
} as const;
export const FIRST_TEXTS: GroupModel["texts"] = {
  name: TEXTS.name[0],
  description: TEXTS.description[0],
  announcement: TEXTS.announcement[0],
};
/** The text that the next change writes. */
export const otherText = (m: GroupModel, key: keyof typeof TEXTS): string =>
  TEXTS[key].find((one) => one !== m.texts[key]) ?? "";

/** Works in another company than the group's. */
export const STRANGER = "wangfang";

export const isInside = (m: GroupModel, name: string): boolean => m.members.has(name);
export const rules = (m: GroupModel, name: string): boolean =>
  m.owner === name || m.admins.has(name);
/** Whether `name` may act against the other: nobody against the owner, the owner alone against admins. */
const above = (m: GroupModel, name: string, other: string): boolean =>
  rules(m, name) && other !== m.owner && (!m.admins.has(other) || m.owner === name);
const enters = (m: GroupModel, name: string): void => {
  m.members.add(name);
  m.waiting.delete(name);
};
const goes = (m: GroupModel, name: string): void => {
  for (const set of [m.members, m.admins, m.allowed]) set.delete(name);
};

/** @returns whether it is done. The model is then changed */
type Rule = (m: GroupModel, actor: string, other: string) => boolean;

const answerInvitation =
  (accept: boolean): Rule =>
  (m, actor) => {
    if (m.waiting.get(actor) !== "invited") return false;
    m.waiting.delete(actor);
    if (accept) enters(m, actor);
    return true;
  };
const answerApplication =
  (accept: boolean): Rule =>
  (m, actor, other) => {
    if (!rules(m, actor) || m.waiting.get(other) !== "applied") return false;
    m.waiting.delete(other);
    if (accept) enters(m, other);
    return true;
  };
/** Adds a member to a set of the group, or takes one out of it. */
const change =
  (set: "admins" | "muted" | "allowed", add: boolean, may: Rule): Rule =>
  (m, actor, other) => {
    if (!may(m, actor, other) || !isInside(m, other)) return false;
    if (add) m[set].add(other);
    else m[set].delete(other);
    return true;
  };
const muteAll =
  (quiet: boolean): Rule =>
  (m, actor) => {
    if (!rules(m, actor)) return false;
    m.quiet = quiet;
    return true;
  };
const setting =
  (key: keyof GroupModel["settings"]): Rule =>
  (m, actor) => {
    if (!rules(m, actor)) return false;
    m.settings = { ...m.settings, [key]: !m.settings[key] };
    return true;
  };
const text =
  (key: keyof typeof TEXTS): Rule =>
  (m, actor) => {
    if (!rules(m, actor)) return false;
    m.texts = { ...m.texts, [key]: otherText(m, key) };
    return true;
  };
const isOwner: Rule = (m, actor, other) => m.owner === actor && other !== actor;

export const GROUP_RULES = {
  write: (m, actor) =>
    isInside(m, actor) &&
    !m.muted.has(actor) &&
    (!m.quiet || rules(m, actor) || m.allowed.has(actor)),
  invite(m, actor, other) {
    const may = isInside(m, actor) && (m.settings.allowinvites || rules(m, actor));
    if (!may || isInside(m, other) || other === STRANGER || m.blocked.has(other)) return false;
    if (m.settings.inviteconfirm) m.waiting.set(other, "invited");
    else enters(m, other);
    return true;
  },
  "accept the invitation": answerInvitation(true),
  "decline the invitation": answerInvitation(false),
  join(m, actor) {
    if (isInside(m, actor)) return true;
    if (!m.settings.public || actor === STRANGER || m.blocked.has(actor)) return false;
    if (m.settings.approval && m.waiting.get(actor) !== "invited") m.waiting.set(actor, "applied");
    else enters(m, actor);
    return true;
  },
  "approve the application": answerApplication(true),
  "turn the application down": answerApplication(false),
  remove(m, actor, other) {
    if (!above(m, actor, other) || !isInside(m, other)) return false;
    goes(m, other);
    return true;
  },
  leave(m, actor) {
    if (!isInside(m, actor) || m.owner === actor) return false;
    goes(m, actor);
    return true;
  },
  "name an admin": change("admins", true, isOwner),
  "end an admin's office": change("admins", false, isOwner),
  "hand over"(m, actor, other) {
    if (m.owner !== actor || !isInside(m, other)) return false;
    m.owner = other;
    m.admins.delete(other);
    m.muted.delete(other);
    return true;
  },
  mute: change("muted", true, above),
  "end the mute": change("muted", false, above),
  "mute all": muteAll(true),
  "end the mute of all": muteAll(false),
  block(m, actor, other) {
    if (!above(m, actor, other) || other === STRANGER) return false;
    goes(m, other);
    m.waiting.delete(other);
    m.blocked.add(other);
    return true;
  },
  "end the block"(m, actor, other) {
    if (!rules(m, actor)) return false;
    m.blocked.delete(other);
    return true;
  },
  allow: change("allowed", true, rules),
  "allow no more": change("allowed", false, rules),
  "change public": setting("public"),
  "change approval": setting("approval"),
  "change allowinvites": setting("allowinvites"),
  "change inviteconfirm": setting("inviteconfirm"),
  rename: text("name"),
  describe: text("description"),
  announce: text("announcement"),
} satisfies Record<string, Rule>;

export type GroupAct = keyof typeof GROUP_RULES;
export interface GroupStep {
  readonly act: GroupAct;
  readonly actor: string;
  readonly other: string;
}

export const stateOf = (m: GroupModel): string =>
  JSON.stringify(m, (_key, value: unknown) =>
    value instanceof Set || value instanceof Map ? [...value] : value,
  );

/**
 * @param acts and `names`: what is done, and by whom; each act by each person to each other
 * @returns draws a step that the rules allow, or one that they refuse (4 of 10), of the acts of which that happened least
 */
export function createDrawing(
  random: () => number,
  acts: readonly GroupAct[],
  names: readonly string[],
) {
  const combinations: readonly GroupStep[] = acts.flatMap((act) =>
    names.flatMap((actor) => names.map((other) => ({ act, actor, other }))),
  );
  const done = new Map<GroupAct, { done: number; refused: number }>(
    acts.map((act) => [act, { done: 0, refused: 0 }]),
  );
  const times = (act: GroupAct, allowed: boolean): number =>
    done.get(act)?.[allowed ? "done" : "refused"] ?? 0;
  return {
    draw(m: GroupModel): GroupStep {
      const wanted = random() < 0.6;
      const before = stateOf(m);
      const fits = combinations.filter(({ act, actor, other }) => {
        const after = structuredClone(m);
        if (GROUP_RULES[act](after, actor, other) !== wanted) return false;
        // What is allowed and changes nothing shows little.
        return !wanted || act === "write" || stateOf(after) !== before;
      });
      const least = Math.min(...fits.map(({ act }) => times(act, wanted)));
      const rare = fits.filter(({ act }) => times(act, wanted) === least);
      return pick(random, random() < 0.2 ? fits : rare);
    },
    count(act: GroupAct, allowed: boolean): void {
      const count = done.get(act);
      if (count !== undefined) count[allowed ? "done" : "refused"] += 1;
    },
    /** Acts that were never done, or never refused. */
    untried: (): readonly GroupAct[] =>
      acts.filter((act) => times(act, true) === 0 || times(act, false) === 0),
  };
}
