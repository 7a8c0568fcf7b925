/** Whether the person sees, and sets up, the alerts of the whole platform. */
import { useMay } from "../../state/may.ts";
import { useRead } from "../../state/useRead.ts";

/** @returns null until it is known */
export function useReach(): boolean | null {
  const mayRead = useMay()("alerts.open");
  const { answer } = useRead(mayRead ? { call: "alerts.open" } : null, true);
  if (!mayRead) return false;
  if (answer.state === "loading") return null;
  return answer.state === "ready" && answer.data.all;
}
