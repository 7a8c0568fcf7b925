/** The person's answer to the expired-login question, from the dialog or from the bar that remains after it. */
import { useCallback } from "react";
import { useCore } from "./services.ts";
import { showError } from "./show-message.ts";

export function useExpiredAnswer(): (again: boolean) => Promise<void> {
  const core = useCore();
  return useCallback(
    async (again) => {
      try {
        await core.commands.session.answerExpired({ again });
        // docs/session.md#expired-login: resets the token and reloads; the guard then leads to the login and keeps the path
        if (again) location.reload();
      } catch (error) {
        showError(error);
      }
    },
    [core],
  );
}
