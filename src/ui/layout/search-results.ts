/** What the search of the frame shows: the choices of before, then what was found, group by group (docs/session.md#frame). Pure. */
import { z } from "../../shared/zod.ts";

export const SEARCH_GROUPS = [
  "page",
  "employee",
  "department",
  "dictionary",
  "conference",
  "bulletin",
] as const;
export type SearchGroup = (typeof SEARCH_GROUPS)[number];

const foundSchema = z.object({
  group: z.enum(SEARCH_GROUPS),
  id: z.string().max(64),
  title: z.string().max(200),
  /** Where it is, or what else tells it from others of its name. */
  detail: z.string().max(300),
  /** The address that shows it; null for a bulletin, which is read in a dialog. */
  to: z.string().max(500).nullable(),
  external: z.boolean(),
  /** The address of a conversation with the employee; null when there is none. */
  chat: z.string().max(500).nullable(),
});
export type Found = z.infer<typeof foundSchema>;

/** Choices that are kept, the newest first, and how many of them a text shows. */
const MOST_KEPT = 10;
const MOST_RECENT = 3;

export const readChoices = (kept: unknown): readonly Found[] =>
  z.array(foundSchema).max(MOST_KEPT).safeParse(kept).data ?? [];

export const keyOf = ({ group, id }: Pick<Found, "group" | "id">): string => `${group}:${id}`;

const without = (list: readonly Found[], others: readonly Found[]): readonly Found[] => {
  const keys = new Set(others.map(keyOf));
  return list.filter((one) => !keys.has(keyOf(one)));
};

/** @returns the choices with this one as the newest */
export const withChoice = (choices: readonly Found[], chosen: Found): readonly Found[] =>
  [chosen, ...without(choices, [chosen])].slice(0, MOST_KEPT);

export interface ShownGroup {
  readonly key: SearchGroup | "recent";
  readonly found: readonly Found[];
}

/**
 * @param choices those that the person may still open
 * @param found by group
 */
export function shownGroups(
  word: string,
  choices: readonly Found[],
  found: Readonly<Partial<Record<SearchGroup, readonly Found[]>>>,
): readonly ShownGroup[] {
  const fits = ({ title, detail }: Found): boolean =>
    [title, detail].some((text) => text.toLowerCase().includes(word));
  const recent = word === "" ? choices : choices.filter(fits).slice(0, MOST_RECENT);
  // What was found is newer than what was kept of it.
  const all = new Map(
    SEARCH_GROUPS.flatMap((key) => found[key] ?? []).map((one) => [keyOf(one), one]),
  );
  const newest = recent.map((one) => all.get(keyOf(one)) ?? one);
  return [
    { key: "recent" as const, found: newest },
    ...SEARCH_GROUPS.map((key) => ({ key, found: without(found[key] ?? [], newest) })),
  ].filter((group) => group.found.length > 0);
}
