/** Which greeting fits an hour of the day. */

export type Greeting = "morning" | "noon" | "afternoon" | "evening" | "night";

/** The first hour of each, in order. Who works after eleven at night or before five has no evening and no morning. */
const FROM: readonly (readonly [hour: number, greeting: Greeting])[] = [
  [0, "night"],
  [5, "morning"],
  [11, "noon"],
  [13, "afternoon"],
  [18, "evening"],
  [23, "night"],
];

/** @param hour 0 to 23, of the person's clock */
export const greetingAt = (hour: number): Greeting =>
  FROM.findLast(([from]) => from <= hour)?.[1] ?? "night";
