/** The values by their key, in their order. Node 20 has no Map.groupBy. */
export function groupedBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [value]);
    else list.push(value);
  }
  return groups;
}
