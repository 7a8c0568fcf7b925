/** What the core is about to finish for its tabs, so that none of them reloads by itself meanwhile (docs/shell.md#deployments). */
import type { ImportState } from "../../shared/domain/import-states.ts";
import type { Store } from "./contracts.ts";

const SENT_NOW: ReadonlySet<ImportState> = new Set(["staged", "sending", "waiting", "cancelling"]);

export function underWay(store: Pick<Store, "get">): { importing: boolean; sending: boolean } {
  const jobs = Object.values(store.get("imports").byKey);
  const conversations = Object.values(store.get("chat").conversations);
  return {
    importing: jobs.some(({ state }) => SENT_NOW.has(state)),
    sending:
      // One that survives its tab also survives the reload.
      Object.values(store.get("uploads").byKey).some(
        ({ survives, state }) => !survives && state !== "done" && state !== "failed",
      ) ||
      Object.values(store.get("downloads").byKey).some(({ state }) => state !== "failed") ||
      conversations.some(({ messages }) =>
        Object.values(messages).some(({ status }) => status === "sending"),
      ),
  };
}
