/** How full the file space of a company is. Pure. */

/** From this part on the page warns. */
const NEAR = 0.9;

interface SpaceShare {
  /** 0 to 100, for the bar. */
  readonly percent: number;
  /** The same for people: a space that is used a little is not 0. */
  readonly said: string;
  readonly state: "free" | "near" | "full";
}

/** @param bytes of the files that are kept and of those on their way */
export function shareOf(bytes: number, limit: number): SpaceShare {
  const part = Math.min(1, bytes / limit);
  const percent = Math.floor(part * 100);
  return {
    percent,
    said: bytes > 0 && percent === 0 ? "<1" : String(percent),
    state: part >= 1 ? "full" : part >= NEAR ? "near" : "free",
  };
}
