/** The state of a navigation that returns to an open page, which keeps its scroll position. */
export const RETURNING = { returning: true } as const;

export const isReturn = (state: unknown): boolean =>
  typeof state === "object" && state !== null && "returning" in state && state.returning === true;
