/**
 * Cooperation of server processes. The members of one conference meet at one process, its home. Requests that arrive at another
 * process are relayed there. With a single process everything is local and nothing is queried.
 */
export interface Homes {
  /**
   * Finds the home of a conference. If it has no live home, this process becomes it.
   *
   * @returns base URL of the home; null when the home is this process
   */
  claim(conferenceId: string): Promise<string | null>;
  /** Like claim, but never makes this process the home. Also null when there is no home. */
  find(conferenceId: string): Promise<string | null>;
  /** Member counts of conferences at other processes. Empty conferences are left out. */
  membersElsewhere(conferenceIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Adds to a socket's path what the process that receives it needs to find the home. */
  address(path: string, conferenceId: string): string;
  /** Marks this process as alive for the others. */
  start(here: Inside): Promise<void>;
  /** Idempotent. The conferences may find another home immediately. */
  stop(): Promise<void>;
}

/** The conferences of this process. */
export interface Inside {
  /** Member counts by conference. */
  members(): ReadonlyMap<string, number>;
  /** Called when another process has become the home of these conferences, because this one was silent for too long. */
  lost(conferenceIds: readonly string[]): void;
}

/** For a platform with a single process. */
export const ALONE: Homes = {
  claim: () => Promise.resolve(null),
  find: () => Promise.resolve(null),
  membersElsewhere: () => Promise.resolve(new Map()),
  address: (path) => path,
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
};

/** The query parameter that `address` adds. */
export const HOME_OF = "confr";
