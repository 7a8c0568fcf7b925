/**
 * Runs independent requests in parallel, because most of the time of one request is waiting for the database.
 *
 * @param width requests under way at the same time
 * @throws the first error, after the requests under way have ended
 */
export async function inParallel<T>(
  width: number,
  items: Iterable<T>,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const errors: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      try {
        await run(next.value);
      } catch (error) {
        errors.push(error);
      }
      if (errors.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  if (errors.length > 0) throw errors[0];
}
