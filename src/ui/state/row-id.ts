/** The id of a row of a list. Pure. */

/**
 * The rows of every list have an id, and bulletins have the platform's name for it (page-calls.test.ts); the compiler cannot see it where the
 * id of the call is a type parameter.
 */
export const idOf = (row: unknown): string => {
  const { id, noticeId } = row as { readonly id: string; readonly noticeId?: string };
  return noticeId ?? id;
};
