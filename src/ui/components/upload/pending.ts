/**
 * Files of a form that are on their way (docs/session.md#uploads). Until such a file is stored, the value of its field names its upload in the
 * queue: so the draft of the form keeps it, and the field goes on with it after a reload.
 */
const PREFIX = "upload:";

/** @param key of the upload */
export const pendingFile = (key: string): string => PREFIX + key;

/** The key of the upload; null for the name of a stored file. */
export const pendingKey = (value: string): string | null =>
  value.startsWith(PREFIX) ? value.slice(PREFIX.length) : null;

export const isPending = (value: string): boolean => pendingKey(value) !== null;

/** The keys of all uploads that the values of a form name, those in groups too. */
export const pendingKeysIn = (values: unknown): string[] =>
  [...JSON.stringify(values ?? null).matchAll(/"upload:([\w-]{1,64})"/g)].map(
    ([, key = ""]) => key,
  );
