/** Which numbers of a column somebody employed bears: asked of the server in portions, each number once. */
import type { AskTaken } from "../../../shared/protocol/import-worker.ts";
import { IMPORT_LIMITS, type ImportMode } from "../../../shared/protocol/rest/imports.ts";
import type { Column } from "./columns.ts";

/** @returns asks about the values of the columns that were not asked about yet */
export function createTaken(
  columns: readonly Column[],
  mode: ImportMode,
  askTaken: AskTaken,
  breathe: () => Promise<void>,
): () => Promise<void> {
  const asked = new Map(columns.map((column) => [column, new Set<string>()]));

  async function askAbout(column: Column): Promise<void> {
    const known = asked.get(column) ?? new Set();
    const fresh: string[] = [];
    for (let id = 0; id < column.count; id += 1) {
      const value = column.value(id);
      if (value === "" || value.length > 32 || known.has(value)) continue;
      known.add(value);
      fresh.push(value);
    }
    for (let at = 0; at < fresh.length; at += IMPORT_LIMITS.taken) {
      await breathe();
      const portion = fresh.slice(at, at + IMPORT_LIMITS.taken);
      const isId = column.field.key === "idNumber";
      const found = await askTaken({
        idNumbers: isId ? portion : [],
        employeeNos: isId ? [] : portion,
      });
      for (const value of isId ? found.idNumbers : found.employeeNos) {
        // in an update one's own number is taken by oneself: the server knows whose it is
        if (mode !== "update") column.setTaken(value, true);
      }
    }
  }

  return async () => {
    // an update of somebody by the id number: that it is taken is what is wanted
    const asking = columns.filter(({ field }) => !(mode === "update" && field.key === "idNumber"));
    // the columns side by side: while the server looks up the one, the other one's portion is made
    await Promise.all(asking.map(askAbout));
  };
}
