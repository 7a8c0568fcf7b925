/** What the person may do in the current company. The server checks it again; here it decides which buttons are shown. */
import { holdsPermission } from "./held.ts";
import { useSlice } from "./services.ts";

/** @returns whether the person holds one of the permissions in the current company */
export function useMay(): (...permissions: readonly string[]) => boolean {
  const { permissions: held } = useSlice("session");
  return (...permissions) => holdsPermission(permissions, held);
}
