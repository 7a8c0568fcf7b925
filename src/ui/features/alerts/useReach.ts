/** Whether the person sees, and sets up, the alerts of the whole platform. */
import { useRead } from "../../state/useRead.ts";

/** @returns null until it is known */
export function useReach(): boolean | null {
  const { answer } = useRead({ call: "alerts.open" }, true);
  if (answer.state === "loading") return null;
  return answer.state === "ready" && answer.data.all;
}
