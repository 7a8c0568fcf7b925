/** How things stand in the core now, for its report: read from what it mirrors to the tabs. */
import type { ImportState } from "../../../shared/domain/import-states.ts";
import type { TransferState } from "../../../shared/domain/transfer-states.ts";
import type { Store } from "../contracts.ts";
import { unlessZero } from "./window.ts";

const IMPORTING: ReadonlySet<ImportState> = new Set(["staged", "sending", "waiting", "cancelling"]);
const ended = (state: TransferState): boolean => state === "done" || state === "failed";

/** Ports that each tab has with the core: hello, commands, state, media. */
const PORTS_OF_TAB = 4;

/** @param watched ports of reads that tabs watch */
export function standing(store: Pick<Store, "get">, watched: number) {
  const tabs = Object.values(store.get("tabs").byId);
  const running = <T extends { readonly state: TransferState }>(all: Readonly<Record<string, T>>) =>
    Object.values(all).filter(({ state }) => !ended(state)).length;
  let outbox = 0;
  for (const { messages } of Object.values(store.get("chat").conversations)) {
    for (const { status } of Object.values(messages)) if (status === "sending") outbox += 1;
  }
  return {
    tabs: unlessZero({
      open: tabs.length,
      visible: tabs.filter(({ visible }) => visible).length,
    }),
    ports: tabs.length * PORTS_OF_TAB + watched,
    queues: unlessZero({
      unacked: tabs.reduce((most, { unacked }) => Math.max(most, unacked), 0),
      outbox,
      uploads: running(store.get("uploads").byKey),
      downloads: running(store.get("downloads").byKey),
      imports: Object.values(store.get("imports").byKey).filter(({ state }) => IMPORTING.has(state))
        .length,
      quality: store.get("quality").uploadQueued,
    }),
  };
}
