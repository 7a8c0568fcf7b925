/** Imports, uploads and downloads in every tab's header. Each part is loaded with the first of its kind, so that the frame does without it. */
import { lazy } from "react";
import { retrying } from "../state/retrying.ts";
import { useSlice } from "../state/services.ts";
import { Part } from "../components/Part.tsx";

const ImportProgress = lazy(() => retrying(() => import("./ImportProgress.tsx")));
const Transfers = lazy(() => retrying(() => import("../features/transfers/Transfers.tsx")));

export function HeaderProgress() {
  const { byKey: imports } = useSlice("imports");
  const { byKey: uploads, chat } = useSlice("uploads");
  const { byKey: downloads } = useSlice("downloads");
  const hasTransfers =
    Object.keys(uploads).length + Object.keys(chat).length > 0 ||
    Object.values(downloads).some(({ listed }) => listed);
  return (
    <>
      <Part>{Object.keys(imports).length > 0 && <ImportProgress />}</Part>
      <Part>{hasTransfers && <Transfers />}</Part>
    </>
  );
}
