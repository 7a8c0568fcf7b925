/** How a form saves a record of which other people may save a newer version meanwhile (docs/server.md#versions). */
import type { FormField } from "./kinds.ts";
import type { Values } from "./values.ts";

/** A record as the form shows it. */
export interface Version {
  readonly version: number;
  /** By the keys of the fields; what does not fit a field is no value of it. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface Versions {
  /** Tells the record from others of the page. */
  readonly id: string;
  readonly version: number;
  /** Reads the record that the server sends with its refusal. */
  readonly read: (theirs: Readonly<Record<string, unknown>>) => Version;
  /** Fields that the form does not have. It says when another person changes them. */
  readonly also?: { readonly fields: readonly FormField[]; readonly values: Values };
}

/** @param record null for a new one, which has no versions */
export function versionsOf<T extends { readonly version: number }>(
  record: T | null,
  options: {
    readonly id: (record: T) => string;
    readonly parse: (theirs: unknown) => T;
    /** Left out: the record is named as the fields are. */
    readonly values?: (record: T) => Readonly<Record<string, unknown>>;
    readonly also?: readonly FormField[];
  },
): Versions | null {
  if (record === null) return null;
  const values = options.values ?? ((one: T) => one as Readonly<Record<string, unknown>>);
  const { also } = options;
  return {
    id: options.id(record),
    version: record.version,
    read: (theirs) => {
      const parsed = options.parse(theirs);
      return { version: parsed.version, values: values(parsed) };
    },
    ...(also === undefined
      ? {}
      : {
          also: {
            fields: also,
            values: Object.fromEntries(
              also.map(({ key }) => [key, String(values(record)[key] ?? "")]),
            ),
          },
        }),
  };
}
