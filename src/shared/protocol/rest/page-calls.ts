/** Types of the calls that pages may make (`page: true`), found by the call's id. */
import type { z } from "../../zod.ts";
import type { restCalls } from "./index.ts";

type Declared = (typeof restCalls)[keyof typeof restCalls];
type PageCall = Extract<Declared, { readonly page?: true }>;
type CallOf<I extends PageCallId> = Extract<PageCall, { readonly id: I }>;

export type PageCallId = PageCall["id"];

/** Calls whose files pages may save (`download: true`). */
type Download = Extract<Declared, { readonly download?: true }>;
export type DownloadCallId = Download["id"];

/** A part of the input. It may be left out when the call takes an empty one. */
type Part<N extends string, T> = {} extends T
  ? { readonly [K in N]?: T }
  : { readonly [K in N]: T };

type InputOf<I, C extends Declared> = { readonly call: I } & Part<"params", z.input<C["params"]>> &
  Part<"query", z.input<C["query"]>> &
  Part<"body", z.input<C["body"]>>;
export type PageCallInput<I extends PageCallId> = InputOf<I, CallOf<I>>;
export type DownloadInput<I extends DownloadCallId> = InputOf<
  I,
  Extract<Download, { readonly id: I }>
>;

export type PageCallData<I extends PageCallId> = z.output<CallOf<I>["data"]>;

/** By what a list knows its rows (a bulletin has the platform's spelling). */
type Identified = { readonly id: string } | { readonly noticeId: string };
/** Calls that answer a page of rows (`pageSchema`). */
export type ListCallId = Extract<
  PageCall,
  { readonly data: z.ZodType<{ records: Identified[]; total: number }> }
>["id"];
export type Row<I extends ListCallId> =
  PageCallData<I> extends { readonly records: readonly (infer T)[] } ? T : never;
/** A page by the platform's usage (`pageQuerySchema`). */
type UsualPage = z.ZodType<{ cursor: number; limit: number }>;
/** The part of the input in which a call takes the page, and with it keyword, filters and order. */
type ListPart<C extends PageCall> = C["query"] extends UsualPage
  ? "query"
  : [keyof z.input<C["body"]>] extends [never]
    ? "query"
    : "body";
type ListInput<I extends ListCallId> = z.input<CallOf<I>[ListPart<CallOf<I>>]>;
/** How a list call is asked for a page where it is not by the platform's cursor and limit in the query. */
export interface Paging {
  /** The call takes the page in its body, and with it keyword, filters and order. */
  readonly in?: "body";
  /** What asks for a page; the first one is 1. Left out: cursor and limit. */
  readonly page?: (page: number, size: number) => Readonly<Record<string, unknown>>;
}
type PageIn<I extends ListCallId> =
  ListPart<CallOf<I>> extends "body" ? { readonly in: "body" } : {};
type PageBy<I extends ListCallId> = CallOf<I>[ListPart<CallOf<I>>] extends UsualPage
  ? {}
  : { readonly page: (page: number, size: number) => Partial<ListInput<I>> };
/** What a list of this call must say about its pages. */
export type PagingOf<I extends ListCallId> = {} extends PageIn<I> & PageBy<I>
  ? { readonly paging?: undefined }
  : { readonly paging: PageIn<I> & PageBy<I> };
/** What a list call takes besides the page and the keyword. */
export type Filters<I extends ListCallId> = Omit<
  ListInput<I>,
  "cursor" | "limit" | "keyword" | "searchCount" | "sort"
>;
/** A sort column of a list call; a leading "-" sorts descending. */
export type Sort<I extends ListCallId> =
  ListInput<I> extends { sort?: infer S } ? NonNullable<S> & string : never;
/** The columns that a list call sorts by. */
export type SortColumn<I extends ListCallId> = Exclude<Sort<I>, `-${string}`>;
