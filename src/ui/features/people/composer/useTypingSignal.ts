/** Tells the core that the person is writing. The core tells the other side, at most once in four seconds. */
import { useCallback, useRef } from "react";
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { useCore } from "../../../state/services.ts";

/** ms between two commands to the core, so that not every key makes one. */
const EVERY = 1_000;

export function useTypingSignal(chatId: string): () => void {
  const core = useCore();
  const last = useRef(0);
  return useCallback(() => {
    const now = performance.now();
    if (groupIdOf(chatId) !== null || (last.current > 0 && now - last.current < EVERY)) return;
    last.current = now;
    // without a connection there is nobody to tell
    core.commands.chat.typing({ chatId }).catch(() => undefined);
  }, [core, chatId]);
}
