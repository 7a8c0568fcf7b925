/** The conferences that go on now and that the person may enter, live (docs/conferences.md#lobby). */
import { useRead } from "../../state/useRead.ts";

const WANTED = { call: "conferences.open" } as const;

export function useOpen() {
  const { answer, again } = useRead<"conferences.open">(WANTED);
  return {
    /** null: not known yet. */
    list: answer.state === "ready" ? answer.data.conferences : null,
    answer,
    again,
  };
}
