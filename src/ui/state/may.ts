/** What the person may do in the current company. The server checks it again; here it decides which buttons are shown. */
import {
  CALL_PERMISSIONS,
  type GuardedCall,
} from "../../shared/protocol/rest/call-permissions.generated.ts";
import { holdsPermission } from "./held.ts";
import { useSlice } from "./services.ts";

/** @returns whether the person may make at least one of these REST calls in the current company */
export function useMay(): (...calls: readonly GuardedCall[]) => boolean {
  const { permissions: held } = useSlice("session");
  return (...calls) => calls.some((call) => holdsPermission(CALL_PERMISSIONS[call], held));
}

/** @returns whether the call needs a permission that the person does not hold now */
export function useDenied(call: string): boolean {
  const holds = useMay();
  return Object.hasOwn(CALL_PERMISSIONS, call) && !holds(call as GuardedCall);
}
