/** Sends newer and newer values of one thing so that the last one wins, however long each takes. */
export interface Turn {
  running: boolean;
  waiting: string | null;
}

/**
 * Sends one text after the other. While one is on its way the newest waits, and those between are left out.
 *
 * @param send must not reject
 * @returns when nothing is left to send; at once when an earlier call sends the text
 */
export async function sendInTurn(
  turn: Turn,
  text: string,
  send: (text: string) => Promise<void>,
): Promise<void> {
  turn.waiting = text;
  if (turn.running) return;
  turn.running = true;
  while (turn.waiting !== null) {
    const next = turn.waiting;
    turn.waiting = null;
    await send(next);
  }
  turn.running = false;
}
