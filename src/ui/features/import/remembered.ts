/** The last column mapping per company and set of headers. */
import { z } from "../../../shared/zod.ts";
import { type Mapping, mappingSchema } from "../../../shared/protocol/import-worker.ts";
import { readLocal, writeLocal } from "../../storage.ts";

const KEY = "import-mappings";
/** Number of stored mappings; the newest are kept. */
const KEPT = 40;
const keptSchema = z.array(z.object({ id: z.string(), mapping: mappingSchema }));

const idOf = (supplierId: string, headers: readonly string[]): string =>
  `${supplierId}|${headers.map((one) => one.trim()).join("\u001f")}`;
const all = (): z.infer<typeof keptSchema> => {
  const kept = readLocal(KEY);
  if (typeof kept !== "string") return [];
  try {
    return keptSchema.safeParse(JSON.parse(kept)).data ?? [];
  } catch {
    return [];
  }
};

export interface Remembered {
  recall(supplierId: string, headers: readonly string[]): Mapping | null;
  remember(supplierId: string, headers: readonly string[], mapping: Mapping): void;
}

const recall: Remembered["recall"] = (supplierId, headers) =>
  all().find(({ id }) => id === idOf(supplierId, headers))?.mapping ?? null;

const remember: Remembered["remember"] = (supplierId, headers, mapping) => {
  const id = idOf(supplierId, headers);
  const next = [{ id, mapping }, ...all().filter((one) => one.id !== id)].slice(0, KEPT);
  writeLocal(KEY, JSON.stringify(next));
};

export const remembered: Remembered = { recall, remember };
