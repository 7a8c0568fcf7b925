/**
 * The requests that are being answered now. Work that can wait, such as an import, asks how long they have been waiting, and lets them pass
 * when the server is slow (docs/server.md#rest).
 */

export interface RequestsInFlight {
  /** @returns an idempotent function to call when the request is answered */
  begin(): () => void;
  /** ms since the oldest of them began; 0: there is none. */
  longest(): number;
}

/** @param now ms from any beginning */
export function createRequestsInFlight(now = () => performance.now()): RequestsInFlight {
  // A set keeps the order in which they began.
  const open = new Set<{ readonly since: number }>();
  return {
    begin() {
      const request = { since: now() };
      open.add(request);
      return () => void open.delete(request);
    },
    longest() {
      const [oldest] = open;
      return oldest === undefined ? 0 : now() - oldest.since;
    },
  };
}
