/** Creates departments that a file names (docs/import.md#departments). */
import type { CoreClient } from "../../../core-client/contracts.ts";

/** The department below which it stands (null: at the top), and the names from there down. */
export interface WantedDepartment {
  readonly parentId: string | null;
  readonly names: readonly string[];
}

/** Creates each department once, those above before those below. @throws AppError of the first one that the server refuses */
export async function createDepartments(
  rest: CoreClient["commands"]["rest"],
  wanted: readonly WantedDepartment[],
): Promise<void> {
  const made = new Map<string, string>();
  for (const { parentId, names } of wanted) {
    let above = parentId;
    for (const name of names) {
      const key = `${above ?? ""}/${name}`;
      let id = made.get(key);
      if (id === undefined) {
        const body = { parentId: above, name };
        ({ id } = await rest.call({ call: "departments.create", body }));
        made.set(key, id);
      }
      above = id;
    }
  }
}
