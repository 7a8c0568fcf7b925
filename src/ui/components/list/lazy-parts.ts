/** Parts of a list that are loaded when they show. */
import { lazy } from "react";
import { retrying } from "../../state/retrying.ts";
import type { BulkDialog as BulkDialogType } from "./BulkDialog.tsx";
import type { ChosenBar as ChosenBarType } from "./ListBars.tsx";

export const BusyBar = lazy(() =>
  retrying(() => import("./ListBars.tsx")).then((m) => ({ default: m.BusyBar })),
);
// `lazy` forgets the type parameter of a component.
export const BulkDialog = lazy(() =>
  retrying(() => import("./BulkDialog.tsx")).then((m) => ({ default: m.BulkDialog })),
) as unknown as typeof BulkDialogType;
export const ChosenBar = lazy(() =>
  retrying(() => import("./ListBars.tsx")).then((m) => ({ default: m.ChosenBar })),
) as unknown as typeof ChosenBarType;
