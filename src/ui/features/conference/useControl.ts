/** The gestures of the control of a shared screen. Each runs one command and shows its error. */
import { useMemo } from "react";
import type { CommandInput } from "../../../shared/protocol/core-rpc.ts";
import { useCore } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";

export function useControl() {
  const { conference } = useCore().commands;
  return useMemo(() => {
    const run = (work: Promise<unknown>): void => void work.catch(showError);
    return {
      ask: (streamId: string) => run(conference.askControl({ streamId })),
      release: () => run(conference.releaseControl({})),
      answer: (id: string, agree: boolean) => run(conference.answerControl({ id, agree })),
      stop: () => run(conference.stopControl({})),
      /** Input of a moment that is past is not sent again, so its loss is no news. */
      send: (input: CommandInput<"conference", "sendControl">) =>
        void conference.sendControl(input).catch(() => undefined),
    };
  }, [conference]);
}
