/** What guides of rules consist of (docs/session.md#alerts-pages). */

/** A page that a line leads to. */
export type Place =
  | "fleet"
  | "cores"
  | "processes"
  | "http"
  | "logins"
  | "chat"
  | "media"
  | "database"
  | "calls"
  | "tasks"
  | "errors"
  | "signIns"
  | "online";

export interface GuideLine {
  readonly words: readonly [zh: string, en: string];
  readonly place?: Place;
}
export interface Guide {
  /** What to look at first. */
  readonly look: readonly GuideLine[];
  readonly act: readonly GuideLine[];
}

export const line = (zh: string, en: string, place?: Place): GuideLine => ({
  words: [zh, en],
  ...(place === undefined ? {} : { place }),
});
