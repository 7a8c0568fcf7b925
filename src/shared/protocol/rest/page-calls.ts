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
/** Calls that answer a page of rows (`pageSchema`) for a cursor and a limit (`pageQuerySchema`). */
export type ListCallId = Extract<
  PageCall,
  {
    readonly query: z.ZodType<{ cursor: number; limit: number }>;
    readonly data: z.ZodType<{ records: Identified[]; total: number }>;
  }
>["id"];
export type Row<I extends ListCallId> =
  PageCallData<I> extends { readonly records: readonly (infer T)[] } ? T : never;
/** What a list call takes besides the page and the keyword. */
export type Filters<I extends ListCallId> = Omit<
  z.input<CallOf<I>["query"]>,
  "cursor" | "limit" | "keyword" | "searchCount" | "sort"
>;
/** A sort column of a list call; a leading "-" sorts descending. */
export type Sort<I extends ListCallId> =
  z.input<CallOf<I>["query"]> extends { sort?: infer S } ? NonNullable<S> & string : never;
/** The columns that a list call sorts by. */
export type SortColumn<I extends ListCallId> = Exclude<Sort<I>, `-${string}`>;
