/**
 * Where the rows of a long list are drawn. Browsers cap the height of an element (Chromium at 33.5 million px, Firefox at 17.9 million),
 * so a list that is longer than `TALLEST` scrolls in an element of that height, and the bar's place stands for another place in the list.
 * Pure.
 *
 * Near both ends the bar and the list move alike; between, the list moves further than the bar. A wheel or a key moves the list by as many
 * px as the bar, so that rows stay in step with what the browser scrolls by itself. The bar then has drifted, and is set right when the
 * list rests. A longer way, such as a dragged bar makes, is mapped.
 */

/** px of the tallest element. Less than what browsers allow, and what their single-precision coordinates still draw sharply. */
export const TALLEST = 8_000_000;
/** px at both ends in which the bar and the list move alike, so that the last steps of a way to an end are exact. */
const EXACT = 200_000;
/** px of drift that are set right at once. Less than EXACT, so that the bar cannot meet an end far before the list does. */
const MOST_DRIFT = EXACT / 2;

export interface Extent {
  /** px of all rows and the head */
  readonly content: number;
  /** px that are visible */
  readonly view: number;
}
export interface Place {
  /** px from the top of the list */
  readonly list: number;
  /** px that the element is scrolled */
  readonly bar: number;
}
export const AT_TOP: Place = { list: 0, bar: 0 };

const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value));
/** Greatest place. */
const endOf = ({ content, view }: Extent): Place => ({
  list: Math.max(0, content - view),
  bar: Math.max(0, Math.min(content, TALLEST) - view),
});
const fits = ({ content }: Extent): boolean => content <= TALLEST;

/** px of the element that stands for the list. */
export const heightOf = ({ content }: Pick<Extent, "content">): number =>
  Math.min(content, TALLEST);

/** Where the bar belongs when the list is at a place. */
export function barOf(extent: Extent, list: number): number {
  const end = endOf(extent);
  const at = clamp(list, end.list);
  if (fits(extent) || at <= EXACT) return at;
  if (end.list - at <= EXACT) return end.bar - (end.list - at);
  return EXACT + ((at - EXACT) * (end.bar - 2 * EXACT)) / (end.list - 2 * EXACT);
}

/** The place of the list that the bar stands for. The inverse of `barOf`. */
export function listOf(extent: Extent, bar: number): number {
  const end = endOf(extent);
  const at = clamp(bar, end.bar);
  if (fits(extent) || at <= EXACT) return at;
  if (end.bar - at <= EXACT) return end.list - (end.bar - at);
  return EXACT + ((at - EXACT) * (end.list - 2 * EXACT)) / (end.bar - 2 * EXACT);
}

/** px of the bar from which on a way is mapped: less than a dragged bar makes at least, and more than a key. */
const jumpOf = (extent: Extent): number =>
  Math.max(extent.view, endOf(extent).bar / (4 * Math.max(1, extent.view)));

/** The place after the browser scrolled the element. */
export function follow(extent: Extent, before: Place, bar: number): Place {
  if (fits(extent)) return { bar, list: clamp(bar, endOf(extent).list) };
  const moved = bar - before.bar;
  // Whole px, so that texts are drawn sharply.
  if (Math.abs(moved) > jumpOf(extent)) return { bar, list: Math.round(listOf(extent, bar)) };
  return { bar, list: clamp(before.list + moved, endOf(extent).list) };
}

/** px by which the list is ahead of the bar, so that a row is drawn so much higher. Rounded to what browsers tell apart. */
export const aheadOf = (extent: Extent, { list, bar }: Place): number =>
  fits(extent) ? 0 : Math.round((list - bar) * 64) / 64;

/** px by which the bar is not where it belongs. */
export const driftOf = (extent: Extent, { list, bar }: Place): number =>
  fits(extent) ? 0 : bar - barOf(extent, list);

/** Whether the bar must be set right before the list rests: it drifted far, or met an end before the list did. */
export function mustSettle(extent: Extent, place: Place): boolean {
  const drift = Math.abs(driftOf(extent, place));
  const end = endOf(extent);
  const atEnd = place.bar <= 0 || place.bar >= end.bar - 1;
  return drift > MOST_DRIFT || (atEnd && drift >= 1);
}

export interface RowsInView {
  readonly first: number;
  readonly last: number;
}

/**
 * The rows that are visible, at least in part.
 *
 * @param rowHeight px of a row, and of the head that covers the top of the view
 */
export function rowsAt({ view }: Extent, list: number, rowHeight: number): RowsInView {
  const first = Math.floor(list / rowHeight);
  // The head covers the view's first px and comes before the first row, so it counts in neither.
  const last = Math.ceil((list + view) / rowHeight) - 2;
  return { first, last: Math.max(first, last) };
}

/** The place of the list that shows a row whole, nearest to the present place. */
export function listFor(extent: Extent, list: number, row: number, rowHeight: number): number {
  const above = row * rowHeight;
  const below = (row + 2) * rowHeight - extent.view;
  if (list > above) return above;
  return list < below ? Math.min(below, endOf(extent).list) : list;
}
