/** Parts of a page that are shown to some people: by role, or by permission, of the current company. */
import type { ReactNode } from "react";
import { holdsPermission, holdsRole } from "../state/held.ts";
import { useSlice } from "../state/services.ts";

interface HasProps {
  /** One of these is enough; at least one. */
  readonly any: readonly string[];
  readonly children: ReactNode;
}

export function HasRole({ any, children }: HasProps) {
  const { roles, supplierId } = useSlice("session");
  return holdsRole(any, roles, supplierId) ? children : null;
}

export function HasPermission({ any, children }: HasProps) {
  const { permissions } = useSlice("session");
  return holdsPermission(any, permissions) ? children : null;
}
