/** Sizes of pages (docs/session.md#frame), and the numbers that a pagination control offers. Pure. */

/** What a person may choose for lists with a pagination control. */
export const PAGE_SIZES = [10, 20, 30, 50, 100, 500, 1000] as const;
export type PageSize = (typeof PAGE_SIZES)[number];
export const DEFAULT_PAGE_SIZE = 20 satisfies PageSize;
/** For chat contacts and members of a group. */
export const CONTACTS_PAGE_SIZE = 200;

export const isPageSize = (size: unknown): size is PageSize =>
  PAGE_SIZES.some((one) => one === size);

/** Number of pages: one also for an empty list. */
export const pageCount = (total: number, size: number): number =>
  Math.max(1, Math.ceil(total / size));

/** The page, beginning with 1, that has the row which was the first one of `page` while pages had another size. */
export const pageAfterResize = (page: number, before: number, size: number): number =>
  Math.floor(((page - 1) * before) / size) + 1;

/**
 * The numbers to offer: the first and last page, `page`, and its neighbours.
 *
 * @param around neighbours on each side
 * @returns "gap" stands for pages that are left out, of which there are at least two
 */
export function offeredPages(page: number, count: number, around: number): (number | "gap")[] {
  // a gap takes the place of a number, so the number of buttons stays the same
  const most = 2 * around + 5;
  if (count <= most) return Array.from({ length: count }, (_, index) => index + 1);
  const inner = most - 4;
  const first = Math.max(3, Math.min(page - around, count - inner - 1));
  const middle = Array.from({ length: inner }, (_, index) => first + index);
  const before = first === 3 ? 2 : "gap";
  const after = first + inner === count - 1 ? count - 1 : "gap";
  return [1, before, ...middle, after, count];
}
