/** Visited pages as tags (docs/session.md#frame). Pure functions on lists. A page is identified by its path. */
import { z } from "../zod.ts";
import { safeRedirect } from "./guard.ts";

export interface Tag {
  /** The page's path; each page has at most one tag. */
  readonly path: string;
  /** Target of a click: the path with the query and hash at which the person left the page. */
  readonly to: string;
  /** Fixed: always first, cannot be closed. */
  readonly affix: boolean;
}

/** A page that may have a tag. */
export interface TagPage {
  readonly path: string;
  readonly affix: boolean;
}

export const TAG_ACTIONS = [
  "refresh",
  "close",
  "closeOthers",
  "closeLeft",
  "closeRight",
  "closeAll",
] as const;
export type TagAction = (typeof TAG_ACTIONS)[number];
export type CloseAction = Exclude<TagAction, "refresh">;

/** Normalises a path: the router ignores case and a trailing slash, so both spellings must name one page. */
export function pagePath(pathname: string): string {
  let plain = pathname;
  try {
    plain = decodeURIComponent(pathname);
  } catch {
    // a broken escape is kept as part of the name
  }
  return plain.replace(/(?<=.)\/+$/, "").toLowerCase();
}

const tagOf = ({ path, affix }: TagPage): Tag => ({ path, to: path, affix });

/**
 * Updates the list for these pages: fixed ones first in the order of `pages`, visited or not; then the other existing pages in
 * the order of the visits.
 */
export function settle(tags: readonly Tag[], pages: readonly TagPage[]): Tag[] {
  const known = new Map(tags.map((tag) => [tag.path, tag]));
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const fixed = pages
    .filter((page) => page.affix)
    .map((page) => ({ ...(known.get(page.path) ?? tagOf(page)), affix: true }));
  const others = tags
    .filter((tag) => byPath.get(tag.path)?.affix === false)
    .map((tag) => ({ ...tag, affix: false }));
  return [...fixed, ...others];
}

/**
 * @param to full address of the visit, with query and hash
 * @returns the same list when nothing changes
 */
export function visit(tags: readonly Tag[], page: TagPage, to: string): readonly Tag[] {
  const known = tags.find((tag) => tag.path === page.path);
  if (known === undefined) return [...tags, { ...tagOf(page), to }];
  if (known.to === to) return tags;
  return tags.map((tag) => (tag === known ? { ...tag, to } : tag));
}

/** The tags that an action on the tag at `path` closes. */
function closedBy(tags: readonly Tag[], action: CloseAction, path: string): readonly Tag[] {
  const at = tags.findIndex((tag) => tag.path === path);
  if (at < 0) return [];
  const chosen: Readonly<Record<CloseAction, (index: number) => boolean>> = {
    close: (index) => index === at,
    closeOthers: (index) => index !== at,
    closeLeft: (index) => index < at,
    closeRight: (index) => index > at,
    closeAll: () => true,
  };
  return tags.filter((tag, index) => !tag.affix && chosen[action](index));
}

/** Whether the tag's menu offers an action; closing is offered when it would close something. */
export const mayAct = (tags: readonly Tag[], action: TagAction, path: string): boolean =>
  action === "refresh" || closedBy(tags, action, path).length > 0;

export interface Closed {
  readonly tags: readonly Tag[];
  /** Address to go to when the shown page was closed; null when it stays. */
  readonly goTo: string | null;
}

/**
 * Closes tags relative to the one at `path`. If the shown page is among them, next is the tag that the person pointed at if it
 * remains, else the last remaining tag, else home.
 *
 * @param active path of the shown page; null when it has no tag
 */
export function close(
  tags: readonly Tag[],
  action: CloseAction,
  path: string,
  active: string | null,
): Closed {
  const gone = new Set(closedBy(tags, action, path));
  const left = tags.filter((tag) => !gone.has(tag));
  const shown = tags.find((tag) => tag.path === active);
  if (shown === undefined || !gone.has(shown)) return { tags: left, goTo: null };
  const next = left.find((tag) => tag.path === path) ?? left.at(-1);
  return { tags: left, goTo: next?.to ?? "/" };
}

/** Maximum number of restored tags; more than any person's menus contain. */
const MOST = 200;
const storedSchema = z.object({
  owner: z.string(),
  tags: z
    .array(z.object({ path: z.string().startsWith("/"), to: z.string(), affix: z.boolean() }))
    .max(MOST),
});

/** What is stored for a reload. `owner` identifies the person and company that the tags belong to. */
export const storedTags = (owner: string, tags: readonly Tag[]): z.input<typeof storedSchema> => ({
  owner,
  tags: tags.slice(0, MOST).map((tag) => ({ ...tag })),
});

/** Reads stored tags; none when they belong to another owner or cannot be read. */
export function restoreTags(stored: unknown, owner: string): readonly Tag[] {
  const parsed = storedSchema.safeParse(stored);
  if (!parsed.success || parsed.data.owner !== owner) return [];
  const seen = new Set<string>();
  return parsed.data.tags.filter((tag) => {
    const own = safeRedirect(tag.to)?.split(/[?#]/, 1)[0];
    if (own === undefined || pagePath(own) !== pagePath(tag.path) || seen.has(tag.path)) {
      return false;
    }
    seen.add(tag.path);
    return true;
  });
}
