/**
 * The requests that are being answered now. Work that can wait, such as an import, asks whether people have been waiting, and lets them pass
 * when the server is slow (docs/server.md#rest).
 */

/** Requests of people that have been waiting for longer make other work wait, ms. Most are answered within a fifth of it. */
const SLOW = 50;

export interface RequestsInFlight {
  /** @returns an idempotent function to call when the request is answered */
  begin(): () => void;
  /** ms since the oldest of them began; 0: there is none. */
  longest(): number;
  /** Whether people wait for the server: a request is unanswered for longer than usual. */
  doPeopleWait(): boolean;
}

/** @param now ms from any beginning */
export function createRequestsInFlight(now = () => performance.now()): RequestsInFlight {
  // A set keeps the order in which they began.
  const open = new Set<{ readonly since: number }>();
  const longest = (): number => {
    const [oldest] = open;
    return oldest === undefined ? 0 : now() - oldest.since;
  };
  return {
    begin() {
      const request = { since: now() };
      open.add(request);
      return () => void open.delete(request);
    },
    longest,
    doPeopleWait: () => longest() > SLOW,
  };
}
