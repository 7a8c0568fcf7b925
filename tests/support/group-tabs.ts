/** Three people who act on a chat group, each with several tabs and a second device: what every tab must show, by the model. */
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import {
  FIRST_TEXTS,
  GROUP_RULES,
  type GroupAct,
  type GroupModel,
  type GroupStep,
  isInside,
  otherText,
  rules,
} from "./group-model.ts";
import { createGroup, openGroup } from "./groups.ts";
import type { Person } from "./people.ts";
import { type Ask, callerOf, records } from "./rest-caller.ts";
import type { TestServer } from "./server.ts";

/** Colleagues. */
export const MEMBERS = ["zhangwei", "lina", "admin"] as const;
export type Member = (typeof MEMBERS)[number];
/** ms; no mute ends during a test. */
const MUTE = 3_600_000;

/** Messages have tests of their own. */
type TabAct = Exclude<GroupAct, "write">;
type Command = readonly [name: string, given: object];
const setting =
  (key: keyof GroupModel["settings"], name: string) =>
  (before: GroupModel): Command => ["settings", { [name]: !before.settings[key] }];
const text =
  (key: "name" | "description") =>
  (before: GroupModel): Command => ["settings", { [key]: otherText(before, key) }];

const COMMANDS: Readonly<Record<TabAct, (before: GroupModel, other: string) => Command>> = {
  invite: (_m, other) => ["invite", { members: [other] }],
  "accept the invitation": () => ["answerInvitation", { accept: true }],
  "decline the invitation": () => ["answerInvitation", { accept: false }],
  join: () => ["join", { message: "值班" }],
  "approve the application": (_m, userName) => ["answerApplication", { userName, accept: true }],
  "turn the application down": (_m, userName) => ["answerApplication", { userName, accept: false }],
  remove: (_m, userName) => ["remove", { userName }],
  leave: () => ["leave", {}],
  "name an admin": (_m, userName) => ["setAdmin", { userName, admin: true }],
  "end an admin's office": (_m, userName) => ["setAdmin", { userName, admin: false }],
  "hand over": (_m, userName) => ["transfer", { userName }],
  mute: (_m, userName) => ["mute", { userName, ms: MUTE }],
  "end the mute": (_m, userName) => ["mute", { userName, ms: null }],
  "mute all": () => ["muteAll", { muted: true }],
  "end the mute of all": () => ["muteAll", { muted: false }],
  block: (_m, userName) => ["block", { userName, blocked: true }],
  "end the block": (_m, userName) => ["block", { userName, blocked: false }],
  allow: (_m, userName) => ["allow", { userName, allowed: true }],
  "allow no more": (_m, userName) => ["allow", { userName, allowed: false }],
  "change public": setting("public", "public"),
  "change approval": setting("approval", "approval"),
  "change allowinvites": setting("allowinvites", "allowInvites"),
  "change inviteconfirm": setting("inviteconfirm", "inviteConfirm"),
  rename: text("name"),
  describe: text("description"),
  announce: (before) => ["announce", { text: otherText(before, "announcement") }],
};
export const TAB_ACTS = Object.keys(COMMANDS) as TabAct[];

/** What a tab shows of the group: nothing to those outside, and what waits for an answer. */
export interface GroupView {
  readonly group: object | null;
  readonly requests: readonly string[];
  /** What the screen of a tab with the group's conversation says; null in a tab with another page. */
  readonly screen: object | null;
}

/** Of a group that the person is not in, the screen has no more than a line that says so. */
function expectedScreen(m: GroupModel, name: string): object {
  if (!isInside(m, name)) return { group: null, writes: "您已不在此群聊中" };
  const isQuiet = m.quiet && !rules(m, name) && !m.allowed.has(name);
  return {
    group: {
      title: m.texts.name,
      count: `${m.members.size} 人`,
      announcement: m.texts.announcement,
    },
    writes: m.muted.has(name)
      ? "您已被禁言，暂时不能发言"
      : isQuiet
        ? "全员禁言中，只有群主和管理员可以发言"
        : "",
  };
}

/** @param isOpen the tab has the group's conversation on its screen */
export function expectedView(m: GroupModel, name: string, isOpen: boolean): GroupView {
  const waits = m.waiting.get(name);
  const applied = [...m.waiting].filter(([, how]) => how === "applied").map(([who]) => who);
  const asked = rules(m, name) ? applied.map((who) => `application ${who}`).toSorted() : [];
  return {
    group: isInside(m, name)
      ? {
          owner: m.owner,
          role: m.owner === name ? "owner" : m.admins.has(name) ? "admin" : "member",
          members: m.members.size,
          quiet: m.quiet,
          silenced: m.muted.has(name),
          allowed: m.allowed.has(name),
          ...m.settings,
          ...m.texts,
        }
      : null,
    requests: [...asked, ...(waits === undefined ? [] : [waits])],
    screen: isOpen ? expectedScreen(m, name) : null,
  };
}

/** Runs in the page. */
function readView(id: string): GroupView {
  const { groups, groupRequests } = globalThis.consoleCore.state.chat;
  const group = groups[id];
  const requests = groupRequests
    .filter(({ groupId }) => groupId === id)
    .map(({ kind, userName }) =>
      kind === "application" ? `application ${userName}` : kind === "applied" ? kind : "invited",
    )
    .sort();
  const isOpen = new URLSearchParams(location.search).get("chat") === `#${id}`;
  const textOf = (path: string) => document.querySelector(path)?.textContent ?? "";
  const count = document.querySelector(".conversation-who span")?.textContent;
  const screen = isOpen
    ? {
        group:
          count === undefined
            ? null
            : {
                title: textOf(".conversation-who h2"),
                count,
                announcement: textOf(".group-banner p"),
              },
        writes: textOf(".group-talk > .group-gone"),
      }
    : null;
  if (group === undefined) return { group: null, requests, screen };
  const { owner, role, members, muted: quiet, mutedUntil, allowed, approval } = group;
  const shown = {
    owner,
    role,
    members,
    quiet,
    silenced: mutedUntil !== null,
    allowed,
    public: group.public,
    approval,
    allowinvites: group.allowInvites,
    inviteconfirm: group.inviteConfirm,
    name: group.name,
    description: group.description,
    announcement: group.announcement,
  };
  return { group: shown, requests, screen };
}

/** The person's tabs and devices that are open. */
export interface GroupPeople {
  readonly tabs: Readonly<Record<Member, readonly Person[]>>;
  pagesOf(name: string): readonly Page[];
}

export function groupPeople(tabs: Readonly<Record<Member, readonly Person[]>>): GroupPeople {
  return {
    tabs,
    pagesOf: (name) =>
      tabs[name as Member].flatMap(({ pages }) => pages.filter((page) => !page.isClosed())),
  };
}

/** Waits until the page has its chat. */
export const chatOpen = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      (globalThis.consoleCore as typeof globalThis.consoleCore | undefined)?.state.chat
        .connection === "open",
  );

/** A group of `owner` alone, as the console makes it with one other person who then leaves. */
export async function makeGroup(page: Page, owner: Member, first: Member): Promise<GroupModel> {
  const id = await createGroup(page, FIRST_TEXTS.name, [first]);
  return {
    id,
    owner,
    members: new Set([owner, first]),
    admins: new Set(),
    allowed: new Set(),
    blocked: new Set(),
    muted: new Set(),
    waiting: new Map(),
    quiet: false,
    settings: { public: true, approval: false, allowinvites: true, inviteconfirm: false },
    texts: FIRST_TEXTS,
  };
}

/** Waits until all tabs of all people show a group of this name, or that they are not in one. @returns ms from `began` on */
export async function expectNamedInAllTabs(
  people: GroupPeople,
  name: string,
  inside: readonly Member[],
  began: number,
): Promise<number> {
  const pages = MEMBERS.flatMap((who) => people.pagesOf(who).map((page) => ({ who, page })));
  const counts = () =>
    Promise.all(
      pages.map(({ page }) =>
        page.evaluate(
          (wanted) =>
            Object.values(globalThis.consoleCore.state.chat.groups).filter(
              (group) => group.name === wanted,
            ).length,
          name,
        ),
      ),
    );
  await expect
    .poll(counts, { message: `a group of the name ${name}`, intervals: [20] })
    .toEqual(pages.map(({ who }) => (inside.includes(who) ? 1 : 0)));
  return performance.now() - began;
}

/** @returns "done", the code of the refusal, or "gone" when the page closed meanwhile */
export function act(page: Page, before: GroupModel, step: GroupStep): Promise<string> {
  return command(page, before.id, COMMANDS[step.act as TabAct](before, step.other));
}

/** Ends the group. @returns as `act` does */
export const dissolve = (page: Page, m: GroupModel): Promise<string> =>
  command(page, m.id, ["dissolve", {}]);

function command(page: Page, groupId: string, [name, given]: Command): Promise<string> {
  return page
    .evaluate(
      ({ command, input }) => {
        const all = globalThis.consoleCore.commands.group as unknown as Record<
          string,
          (input: object) => Promise<unknown>
        >;
        return all[command]!(input).then(
          () => "done",
          (error: unknown) => String((error as { code?: unknown }).code ?? error),
        );
      },
      { command: name, input: { groupId, ...given } },
    )
    .catch((error: unknown) => {
      if (page.isClosed()) return "gone";
      throw error;
    });
}

/** The model after the step, and whether the rules allow it. */
export function afterStep(before: GroupModel, { act: what, actor, other }: GroupStep) {
  const after = structuredClone(before);
  return { after, allowed: GROUP_RULES[what](after, actor, other) };
}

/** The group as it is when its owner has dissolved it. */
export const dissolved = (m: GroupModel): GroupModel => ({
  ...m,
  owner: "",
  members: new Set(),
  admins: new Set(),
  allowed: new Set(),
  blocked: new Set(),
  waiting: new Map(),
});

const isOpenIn = (page: Page, id: string): boolean =>
  new URL(page.url()).searchParams.get("chat") === `#${id}`;

/** Opens the group's conversation in the first tab of each of the person's devices, as the tab that the person looks at. */
export const openOnEachDevice = (people: GroupPeople, name: Member, id: string): Promise<unknown> =>
  Promise.all(people.tabs[name].map(({ pages }) => openGroup(pages[0]!, id)));

export const viewsOf = async (people: GroupPeople, id: string) =>
  Promise.all(
    MEMBERS.map(async (name) => ({
      name,
      views: await Promise.all(
        people
          .pagesOf(name)
          .map((page) => page.evaluate(readView, id).catch((error: unknown) => String(error))),
      ),
    })),
  );
export const modelViews = (people: GroupPeople, m: GroupModel) =>
  MEMBERS.map((name) => ({
    name,
    views: people.pagesOf(name).map((page) => expectedView(m, name, isOpenIn(page, m.id))),
  }));

/**
 * Waits until all tabs of all people show the group as the model has it.
 * @param began when the act began, by `performance.now()`. Left out: now
 * @returns ms from then on
 */
export async function expectInAllTabs(
  people: GroupPeople,
  m: GroupModel,
  about: string,
  began = performance.now(),
): Promise<number> {
  await expect
    .poll(() => viewsOf(people, m.id), { message: about, intervals: [20] })
    .toEqual(modelViews(people, m));
  return performance.now() - began;
}

/** What the server says of a group, and no tab shows whole. */
export interface ServerView {
  /** The members by the provider's calls. */
  readonly gateway: readonly string[];
  /** The members by the console's own calls. */
  readonly backend: readonly string[];
  readonly blocked: readonly string[];
}
export function expectedAtServer(m: GroupModel): ServerView {
  const members = [...m.members].toSorted();
  return { gateway: members, backend: members, blocked: [...m.blocked].toSorted() };
}

/** Asks the server as the owner of the group. Each owner logs in once. */
export function createServerLook(server: TestServer): (m: GroupModel) => Promise<ServerView> {
  const provider = `${server.url}/hyzh/console`;
  const logins = new Map<string, { ask: Ask; token: string }>();
  const logIn = async (name: string): Promise<{ ask: Ask; token: string }> => {
    const known = logins.get(name);
    if (known !== undefined) return known;
    const ask = await callerOf(server.url, name);
    const account = (await ask("GET", "/uaa/api/account")).data as { id: string };
    const labels = new URLSearchParams({
      accountId: account.id,
      source: "环信",
      systemName: "hyzh#console",
    });
    const user = (await ask("GET", `/dc-im/api/user/hx/accountId?${labels.toString()}`)).data as {
      userName: string;
      password: string;
    };
    const granted = await fetch(`${provider}/token`, {
      method: "POST",
      body: JSON.stringify({
        grant_type: "password",
        username: user.userName,
        password: user.password,
      }),
    });
    const { access_token: token } = (await granted.json()) as { access_token: string };
    const login = { ask, token };
    logins.set(name, login);
    return login;
  };
  return async ({ id, owner }) => {
    // Of a group that is no more anybody may ask.
    const { ask, token } = await logIn(owner || MEMBERS[0]);
    /** Nothing of a group that is missing. */
    const atProvider = async <T>(path: string): Promise<readonly T[]> => {
      const answer = await fetch(`${provider}/chatgroups/${id}/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      if (answer.status === 404) return [];
      return ((await answer.json()) as { data: T[] }).data;
    };
    const users = await ask("GET", `/dc-im/api/groupUsers?groupId=${id}&cursor=1&limit=200`);
    const backend = users.status === 404 ? [] : records<{ userName: string }>(users);
    const rows = await atProvider<Record<string, string>>("users?pagenum=1&pagesize=200");
    return {
      gateway: rows.map((row) => row["owner"] ?? row["admin"] ?? row["member"] ?? "").toSorted(),
      backend: backend.map(({ userName }) => userName).toSorted(),
      blocked: (await atProvider<string>("blocks/users")).toSorted(),
    };
  };
}
