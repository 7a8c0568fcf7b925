/** The roles that the person may give to somebody who joins, as choices of a form. */
import type { FormOption } from "../../components/form/kinds.ts";
import { holdsPermission } from "../../state/held.ts";
import { useMay } from "../../state/may.ts";
import { useSlice } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";

/** More roles than a company has. */
const MOST = 1000;

/** @returns null until they are known; [] for a person who may give none, and where they cannot be read */
export function useRolesToGive(): readonly FormOption[] | null {
  const may = useMay();
  const { permissions } = useSlice("session");
  const wanted = may("roles.assign");
  const { answer } = useRead(
    wanted ? { call: "roles.list", query: { limit: MOST, searchCount: false } } : null,
  );
  if (!wanted || answer.state === "failed") return [];
  if (answer.state !== "ready") return null;
  return (
    answer.data.records
      // The server refuses a role that may do more than the person who gives it.
      .filter((role) => role.permissions.every((one) => holdsPermission([one], permissions)))
      .map(({ id, name }) => ({ value: id, label: name }))
  );
}
