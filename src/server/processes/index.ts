/**
 * Server processes that know of each other. Members of one conference meet at one process, its home; what arrives at another is
 * carried on to it. With one process everything is at home, and nothing is asked.
 */
export interface Homes {
  /**
   * The home of a conference, which this process becomes when it has none that is alive. Null: it is here.
   *
   * @returns base URL of another process
   */
  claim(conferenceId: string): Promise<string | null>;
  /** As claim, but nobody becomes anything: null as well when nobody is the home. */
  find(conferenceId: string): Promise<string | null>;
  /** Members inside conferences that are at home elsewhere; those that nobody is inside of are left out. */
  membersElsewhere(conferenceIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The path of a socket, with what the process that gets it needs to find the home. */
  address(path: string, conferenceId: string): string;
  /** From now on this process is alive to the others. */
  start(here: Inside): Promise<void>;
  /** Idempotent. The conferences may find another home at once. */
  stop(): Promise<void>;
}

/** What is inside this process. */
export interface Inside {
  /** Members by conference. */
  members(): ReadonlyMap<string, number>;
  /** Another process has become their home, since this one was not heard of for too long. */
  lost(conferenceIds: readonly string[]): void;
}

/** Of a platform with one process. */
export const ALONE: Homes = {
  claim: () => Promise.resolve(null),
  find: () => Promise.resolve(null),
  membersElsewhere: () => Promise.resolve(new Map()),
  address: (path) => path,
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
};

/** The query parameter of `address`. */
export const HOME_OF = "confr";
