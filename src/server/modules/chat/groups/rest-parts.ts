/** What the files that serve the provider's calls about groups share. */
import type { Context } from "hono";
import { z } from "zod";
import { hasNoNul } from "../../../../shared/protocol/rest/call.ts";
import { chatUserNameSchema } from "../../../../shared/protocol/rest/entities.ts";
import { GROUP_LIMITS } from "../../../../shared/protocol/rest/im-groups.ts";
import type { Env } from "../rest/provider-app.ts";
import type { Actor, Group, Groups, Member } from "./index.ts";

/** The path of one group. */
export const GROUP_PATH = "/chatgroups/:id{[0-9]+}";

export const text = (max: number) => z.string().max(max).refine(hasNoNul, "contains NUL");
export const names = z.array(chatUserNameSchema).max(GROUP_LIMITS.invited);
export const namesBody = z.object({ usernames: names.min(1) });
/** The SDK sends an unset value as the word "undefined". */
export const numberOf = (value: string | undefined, fallback: number, max: number): number => {
  const given = Number(value);
  return Number.isInteger(given) && given >= 0 ? Math.min(given, max) : fallback;
};

export interface GroupAnswers {
  readonly groups: Groups;
  readonly answer: (c: Context<Env>, fields: Record<string, unknown>) => Response;
}
/** What all calls about a group share. */
export interface GroupCallParts extends GroupAnswers {
  /** Converts a GroupRefusal to the provider's error answer. */
  readonly handle: (
    run: (c: Context<Env>) => Promise<Response>,
  ) => (c: Context<Env>) => Promise<Response>;
  readonly actor: (c: Context<Env>) => Actor;
  readonly idOf: (c: Context<Env>) => string;
  readonly namesIn: (c: Context<Env>) => string[];
  readonly seen: (
    c: Context<Env>,
    id: string,
  ) => Promise<{ readonly group: Group; readonly members: readonly Member[] }>;
  /** ms since the epoch */
  readonly now: () => number;
  readonly done: (c: Context<Env>, fields?: Record<string, unknown>) => Response;
}
