/** The shown conversation: it is opened in the core, and again after an outage. */
import { useEffect, useState } from "react";
import { AppError } from "../../../shared/errors.ts";
import { errorText } from "../../i18n/index.ts";
import { keepTrying } from "../../state/recover.ts";
import { useCore, useCoreState, useSlice } from "../../state/services.ts";
import { useConversations } from "./common/conversations-now.ts";

export function useOpenConversation(chatId: string, name: string) {
  const core = useCore();
  const coreState = useCoreState();
  const { connection } = useSlice("chat");
  const connected = connection === "open";
  const conversation = useConversations()[chatId];
  const [failed, setFailed] = useState<AppError | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (coreState.state !== "ready") return;
    return keepTrying(
      () => core.commands.chat.open({ chatId, name }).then(() => setFailed(null)),
      (error) => setFailed(AppError.from(error)),
      () => core.state.session.status === "anonymous",
    );
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- attempt counts the retry button; after a reconnect, open reads the missed messages
  }, [core, chatId, name, attempt, coreState.state, connected]);

  const retry = (): void => {
    setFailed(null);
    setAttempt((n) => n + 1);
  };
  return { conversation, connected, failed: failed && errorText(failed), retry };
}
