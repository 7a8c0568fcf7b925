/** Three people in the life of a group, each with the unmodified SDK and with a core on another device: how they act, and what all see. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { AppError } from "../../src/shared/errors.ts";
import {
  createGroupCast,
  type GroupCast,
} from "../../src/server/modules/chat/groups/cast.harness.ts";
import type { SdkUser } from "../../src/server/modules/chat/groups/sdk.harness.ts";
import { timeLimit } from "../support/time-limits.ts";
import { type GroupCore, startGroupCore } from "./group-core.ts";

export const NAMES = ["zhangwei", "lina", "guest"] as const;
export type Name = (typeof NAMES)[number];
/** What 张伟, 李娜 and the guest see of the group, in this order: see `views`. */
export type Views = readonly [string, string, string];
/** ms within which everybody sees a step, from its begin. */
export const SOON = timeLimit(1000);

/** Sets up the people of a test file, with new cores for each test. */
export function groupLife() {
  let cast = {} as GroupCast;
  const sdk = {} as Record<Name, SdkUser>;
  const core = {} as Record<Name, GroupCore>;
  /** What the backend fails at: the saving of a membership, or every call about groups. */
  let failing: "saving" | "all" | null = null;
  /** Memberships that the backend has saved. */
  let saved = 0;
  let calls = 0;
  /** The group that the steps are about; "" until it is made. */
  let id = "";
  const times: number[] = [];

  beforeAll(async () => {
    cast = await createGroupCast(NAMES);
  }, 120_000);
  afterAll(() => cast.platform.close());
  beforeEach(async () => {
    failing = null;
    id = "";
    for (const name of NAMES) {
      sdk[name] = await cast.login(name);
      core[name] = startGroupCore({
        origin: cast.platform.origin,
        token: cast.token[name] ?? "",
        user: { accountId: cast.accountId[name] ?? "", username: name, name, supplierId: "1" },
        wire: (transport) => async (request) => {
          const isDown = failing === "all" && request.id.startsWith("im.group");
          if (isDown) throw new AppError("server.unavailable");
          if (request.id !== "im.groupUserAdd") return transport(request);
          if (failing === "saving") throw new AppError("server.unavailable");
          const answer = await transport(request);
          saved += 1;
          return answer;
        },
      });
    }
    await expect
      .poll(() => NAMES.map((name) => core[name].store.get("chat").connection), { timeout: 20_000 })
      .toEqual(["open", "open", "open"]);
  }, 60_000);
  afterEach(async () => {
    await Promise.all(NAMES.map((name) => core[name].stop()));
    cast.closeAll();
  });

  const next = () => ({ tabId: "t", id: `c${(calls += 1)}` });
  /** Calls a command of the person's core about the group. */
  const act = <C extends keyof GroupCore["chat"]["groups"]>(
    name: Name,
    command: C,
    given: Omit<Parameters<GroupCore["chat"]["groups"][C]>[0], "groupId"> = {} as never,
  ): Promise<unknown> =>
    (core[name].chat.groups[command] as (given: object, context: object) => Promise<unknown>)(
      { groupId: id, ...given },
      next(),
    );
  const make = async (name: Name, given: { name: string; members: string[] }): Promise<void> => {
    ({ groupId: id } = await core[name].chat.groups.create(given, next()));
  };

  /**
   * What each core shows of the group: the own role and the number of members, what holds for the person and for all, the announcement,
   * and what waits for an answer.
   */
  const views = (): Views => {
    const viewOf = (name: Name): string => {
      const { groups, groupRequests } = core[name].store.get("chat");
      const group = groups[id];
      const parts =
        group === undefined
          ? []
          : [
              `${group.role} of ${group.members}`,
              (group.mutedUntil ?? 0) > 0 && "muted",
              group.muted && "quiet",
              group.allowed && "allowed",
              group.announcement,
            ];
      const waiting = groupRequests.filter(({ groupId }) => groupId === id);
      return [...parts, ...waiting.map(({ kind }) => kind)].filter(Boolean).join(", ");
    };
    const [zhangwei, lina, guest] = NAMES;
    return [viewOf(zhangwei), viewOf(lina), viewOf(guest)];
  };
  /** The gateway and the backend name the same members as the cores, to everybody. */
  const expectEqual = async (about: string): Promise<void> => {
    const shown = views();
    const inside = NAMES.filter((_name, i) => / of \d/.test(shown[i] ?? ""));
    for (const name of NAMES) {
      const within = inside.includes(name);
      const members = within ? inside.toSorted() : [];
      expect(await cast.mirror(name, id), `${about}: the backend, for ${name}`).toEqual(members);
      const joined = (await cast.call(sdk[name], "getJoinedGroups", {
        pageNum: 0,
        pageSize: 200,
      })) as { groupid: string }[];
      const isJoined = joined.some(({ groupid }) => groupid === id);
      expect(isJoined, `${about}: the gateway, for ${name}`).toBe(within);
      if (within) expect(await cast.members(sdk[name], id), about).toEqual(members);
    }
  };
  /**
   * Does the act. Within a second from its begin all cores show these views and the SDK has given these events; the gateway and the
   * backend then say the same.
   */
  const step = async (
    about: string,
    run: () => Promise<unknown>,
    expected: Views,
    events: readonly (readonly [name: Name, operation: string])[] = [],
  ): Promise<void> => {
    const before = Object.fromEntries(NAMES.map((name) => [name, sdk[name].events.length]));
    const missing = () =>
      events.filter(
        ([name, operation]) =>
          !sdk[name].events
            .slice(before[name])
            .some((one) => one["operation"] === operation && one["id"] === id),
      );
    const began = performance.now();
    const seen = expect
      .poll(() => ({ views: views(), missing: missing() }), {
        message: about,
        timeout: SOON,
        interval: 10,
      })
      .toEqual({ views: expected, missing: [] })
      .then(() => times.push(performance.now() - began));
    await Promise.all([run(), seen]);
    await expectEqual(about);
  };

  return {
    sdk,
    core,
    act,
    make,
    step,
    views,
    expectEqual,
    cast: () => cast,
    /** The group that the steps are about from now on. */
    about: (groupId: string) => void (id = groupId),
    id: () => id,
    fail: (what: typeof failing) => void (failing = what),
    saved: () => saved,
    /** ms that each step took until all had seen it. */
    times: (): readonly number[] => times,
    /** The notices of the person's core about groups, without those that were asked for before. */
    notices: (name: Name): string[] =>
      core[name].notices.splice(0).map(({ style, text }) => `${style}: ${text}`),
  };
}
