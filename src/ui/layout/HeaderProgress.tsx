/** Imports and uploads in every tab's header. Each of the two is loaded with the first of its kind, so that the frame does without it. */
import { lazy, Suspense } from "react";
import { retrying } from "../state/retrying.ts";
import { useSlice } from "../state/services.ts";

const ImportProgress = lazy(() => retrying(() => import("./ImportProgress.tsx")));
const Uploads = lazy(() => retrying(() => import("../features/uploads/Uploads.tsx")));

export function HeaderProgress() {
  return (["imports", "uploads"] as const).map((name) => <Kind key={name} name={name} />);
}

function Kind({ name }: { readonly name: "imports" | "uploads" }) {
  const slice = useSlice(name);
  const chat = "chat" in slice ? slice.chat : {};
  if (Object.keys(slice.byKey).length + Object.keys(chat).length === 0) return null;
  return (
    <Suspense fallback={null}>{name === "imports" ? <ImportProgress /> : <Uploads />}</Suspense>
  );
}
