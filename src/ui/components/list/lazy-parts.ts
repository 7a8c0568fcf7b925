/** Parts of a list page that are loaded when they are shown first. `lazy` forgets the type parameter of a component. */
import { lazy } from "react";
import { retrying } from "../../state/retrying.ts";
import type { BulkDialog as BulkDialogType } from "./BulkDialog.tsx";
import type { ChosenBar as ChosenBarType } from "./ListBars.tsx";
import type { ListDialogs as ListDialogsType } from "./ListDialogs.tsx";
import type { RowDialog as RowDialogType } from "./RowDialog.tsx";

// `lazy` forgets the type parameters of the four components that are named again below.
export const RowDialog = lazy(() =>
  retrying(() => import("./RowDialog.tsx")).then((m) => ({ default: m.RowDialog })),
) as unknown as typeof RowDialogType;
export const FilterBar = lazy(() =>
  retrying(() => import("./FilterBar.tsx")).then((m) => ({ default: m.FilterBar })),
);
export const BulkDialog = lazy(() =>
  retrying(() => import("./BulkDialog.tsx")).then((m) => ({ default: m.BulkDialog })),
) as unknown as typeof BulkDialogType;
export const BusyBar = lazy(() =>
  retrying(() => import("./ListBars.tsx")).then((m) => ({ default: m.BusyBar })),
);
export const LapsedBar = lazy(() =>
  retrying(() => import("./ListBars.tsx")).then((m) => ({ default: m.LapsedBar })),
);
export const ChosenBar = lazy(() =>
  retrying(() => import("./ListBars.tsx")).then((m) => ({ default: m.ChosenBar })),
) as unknown as typeof ChosenBarType;
export const ListPager = lazy(() =>
  retrying(() => import("./ListPager.tsx")).then((m) => ({ default: m.ListPager })),
);
export const ListDialogs = lazy(() =>
  retrying(() => import("./ListDialogs.tsx")).then((m) => ({ default: m.ListDialogs })),
) as unknown as typeof ListDialogsType;
