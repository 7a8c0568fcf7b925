/** The corrections of the open file, and what was decided about its row of totals: kept in this browser until they are sent. */
import { ref } from "valtio/vanilla";
import type { Correction, TotalDecision } from "../../../shared/protocol/import-worker.ts";
import type { CorrectionsOf, CorrectionStore } from "./corrections.ts";
import type { ImportState } from "./model-state.ts";

export interface FileCorrections {
  decision: TotalDecision;
  /** Keeps the corrections of this file as they are now. */
  keep(corrections: readonly Correction[]): void;
  /** Offers what was kept of this file. */
  offer(alive: () => boolean): Promise<void>;
}

export function createFileCorrections(
  state: ImportState,
  store: CorrectionStore,
  accountId: () => string,
): FileCorrections {
  const file = (): CorrectionsOf | null =>
    state.loaded === null || state.context === null
      ? null
      : {
          accountId: accountId(),
          supplierId: state.context.supplierId,
          fileHash: state.loaded.fileHash,
        };
  const own: FileCorrections = {
    decision: "ask",
    keep(corrections) {
      Object.assign(state, { corrections: ref([...corrections]), keptAt: null });
      const key = file();
      const { decision } = own;
      if (key !== null) void store.save(key, { corrections: [...corrections], decision });
    },
    async offer(alive) {
      const key = file();
      const kept = key === null ? null : await store.load(key);
      if (!alive()) return;
      own.decision = kept?.decision ?? "ask";
      Object.assign(state, {
        corrections: ref(kept?.corrections ?? []),
        keptAt: kept === null || kept.corrections.length === 0 ? null : kept.at,
      });
    },
  };
  return own;
}
