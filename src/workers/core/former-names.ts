/** A record that an older build stored may have fields under former names. A call or conference goes on after a deployment all the same. */

/** @param names the present name by its former one. A field that has its present name already stays as it is. */
export function withPresentNames(
  stored: unknown,
  names: Readonly<Record<string, string>>,
): unknown {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return stored;
  const record: Record<string, unknown> = { ...stored };
  for (const [former, present] of Object.entries(names)) {
    if (!Object.hasOwn(record, former)) continue;
    record[present] ??= record[former];
    delete record[former];
  }
  return record;
}
