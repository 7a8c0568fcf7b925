/**
 * The address as the browser has it. The router shows a new one as a transition, so that React may still render the one before when the
 * next key is pressed: what decides about the history reads it here, and what is rendered reads `useLocation`.
 */
interface Address {
  readonly search: string;
  /** What the entry was navigated to with. */
  readonly state: unknown;
}

export function addressNow(): Address {
  // the router keeps the state of an entry beside the entry's number
  const entry = history.state as { readonly usr?: unknown } | null;
  return { search: location.search, state: entry?.usr ?? null };
}
