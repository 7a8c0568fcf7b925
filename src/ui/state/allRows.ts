/** Reads the rows of a list page by page, as it is filtered and sorted now, for an export or a print. */
import type { CoreClient } from "../../core-client/contracts.ts";
import type {
  Filters,
  ListCallId,
  PageCallInput,
  Paging,
  Row,
} from "../../shared/protocol/rest/page-calls.ts";

/** Rows per request: the most that a list call answers. */
const LIMIT = 1000;

export interface ListRequest<I extends ListCallId> {
  readonly call: I;
  readonly filters: Filters<I>;
  readonly keyword: string;
  /** One of the call's, as ListPage has checked. */
  readonly sort: string | null;
  /** Left out: by cursor and limit in the query. */
  readonly paging?: Paging | undefined;
}

/**
 * What a list call is asked for a page.
 *
 * @param page begins with 1
 */
export const pageInput = <I extends ListCallId>(
  { call, filters, keyword, sort, paging = {} }: ListRequest<I>,
  page: number,
  size: number,
): PageCallInput<I> => {
  const word = keyword.trim();
  const asked = {
    ...filters,
    ...(paging.page?.(page, size) ?? { cursor: page, limit: size }),
    ...(word === "" ? {} : { keyword: word }),
    ...(sort === null ? {} : { sort }),
  };
  // The compiler cannot put the parts of a call together whose id is a type parameter.
  return { call, [paging.in ?? "query"]: asked } as unknown as PageCallInput<I>;
};

/**
 * Reads until all rows, or `most` of them, were read.
 *
 * @param onPage answers false to end it
 */
export async function eachPage<I extends ListCallId>(
  rest: CoreClient["commands"]["rest"],
  request: ListRequest<I>,
  onPage: (rows: readonly Row<I>[], total: number) => Promise<boolean> | boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let page = 1, done = 0, total = 1; done < Math.min(total, most); page += 1) {
    // As in `pageInput`: the id of the call is a type parameter.
    const answer = (await rest.call(pageInput(request, page, LIMIT))) as unknown as {
      readonly records: readonly Row<I>[];
      readonly total: number;
    };
    total = answer.total;
    const rows = answer.records.slice(0, most - done);
    done += rows.length;
    if (rows.length === 0 || !(await onPage(rows, total))) return;
  }
}
