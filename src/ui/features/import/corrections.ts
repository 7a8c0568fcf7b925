/**
 * Corrections that a person made in the check, by the file's fingerprint (docs/import.md#edits). They stay in this browser until the
 * rows are imported or the person drops them, so that a crash of the tab loses none. They belong to an account in a company.
 */
import { createStore, del, entries, get, set, type UseStore } from "idb-keyval";
import { BASE_PATH } from "../../../core-client/base-path.ts";
import { nameBelow } from "../../../shared/domain/base-path.ts";
import { z } from "../../../shared/zod.ts";
import { correctionSchema, totalDecisionSchema } from "../../../shared/protocol/import-worker.ts";

/** Files whose corrections are kept, and how long. */
const KEPT = 20;
const KEPT_MS = 30 * 24 * 3_600_000;

const keptSchema = z.object({
  /** When the last one was made, in ms since 1970. */
  at: z.number(),
  corrections: z.array(correctionSchema),
  decision: totalDecisionSchema,
});
export type KeptCorrections = z.infer<typeof keptSchema>;

/** Whose corrections, and of which file. */
export interface CorrectionsOf {
  readonly accountId: string;
  readonly supplierId: string;
  readonly fileHash: string;
}

/** Nothing here rejects: without storage the corrections live as long as the page. */
export interface CorrectionStore {
  load(file: CorrectionsOf): Promise<KeptCorrections | null>;
  /** No corrections and no decision: drops what is kept. */
  save(file: CorrectionsOf, kept: Omit<KeptCorrections, "at">): Promise<void>;
}

const keyOf = ({ accountId, supplierId, fileHash }: CorrectionsOf): string =>
  `${accountId}:${supplierId}:${fileHash}`;

const DB = "console-import-corrections";

/** @param now current time in ms since 1970 */
export function createCorrectionStore(now: () => number): CorrectionStore {
  let opened: UseStore | null = null;
  const store = (): UseStore => (opened ??= createStore(nameBelow(BASE_PATH, DB), "kept"));

  async function sweep(): Promise<void> {
    const all = (await entries<string, unknown>(store())).map(([key, value]) => ({
      key,
      at: keptSchema.safeParse(value).data?.at ?? 0,
    }));
    const newest = all.sort((a, b) => b.at - a.at);
    const old = newest.filter(({ at }, i) => i >= KEPT || now() - at > KEPT_MS);
    for (const { key } of old) await del(key, store());
  }
  return {
    async load(file) {
      try {
        await sweep();
        return keptSchema.safeParse(await get(keyOf(file), store())).data ?? null;
      } catch {
        return null;
      }
    },
    async save(file, { corrections, decision }) {
      try {
        if (corrections.length === 0 && decision === "ask") await del(keyOf(file), store());
        else await set(keyOf(file), { at: now(), corrections, decision }, store());
      } catch {
        // A browser that refuses storage keeps them in the page alone.
      }
    },
  };
}
