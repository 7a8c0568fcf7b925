import { useMemo, useSyncExternalStore } from "react";
import { allDrafts, onDrafts } from "./drafts.ts";

/** The texts that the person has not sent yet, by conversation, of all tabs. */
export function useDrafts(accountId: string | null): Readonly<Record<string, string>> {
  const read = (): string => JSON.stringify(accountId === null ? {} : allDrafts(accountId));
  const json = useSyncExternalStore(onDrafts, read);
  return useMemo(() => JSON.parse(json) as Record<string, string>, [json]);
}
