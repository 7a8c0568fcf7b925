/** A form whose record another person changed meanwhile (docs/server.md#versions). */
import { useState } from "react";
import { AppError } from "../../../shared/errors.ts";
import { staleVersions } from "../../../shared/protocol/rest/conflict.ts";
import { textOf, texts } from "../../i18n/texts.ts";
import type { FormValues } from "./fields.ts";

export const STALE_TEXTS = texts({
  unsaved: [
    "尚未保存：其他人刚刚修改了这条记录",
    "Not saved: somebody else has just changed this record",
  ],
  changed: [
    "对方的修改如下。您填写的内容已保留，再次保存即可生效：",
    "They changed the following. Your input is kept. Save again to keep it:",
  ],
  now: ["{{label}}：对方已改为“{{value}}”", "{{label}}: they changed it to “{{value}}”"],
  empty: ["{{label}}：对方已清空", "{{label}}: they cleared it"],
});

export interface StaleChange {
  readonly label: string;
  /** As a person reads it. */
  readonly value: string;
}

interface Shown {
  readonly key: string;
  readonly label: string;
}

/** The fields that the other person changed, with what they hold now. Pure. */
export const staleChanges = (
  fields: readonly Shown[],
  before: FormValues,
  now: FormValues,
  read: (key: string, value: string) => string = (_key, value) => value,
): StaleChange[] =>
  fields
    .filter(({ key }) => (before[key] ?? "") !== (now[key] ?? ""))
    .map(({ key, label }) => ({ label, value: read(key, now[key] ?? "") }));

/**
 * Saves a record by its version. After a refusal the next save is based on the other person's version, so that it stands. A refusal
 * over fields that the form does not show is not worth a question: the record is saved again at once.
 *
 * @param record as the person saw it; null for a new one
 */
export function useVersions<T extends { readonly version: number }>(
  record: T | null,
  of: {
    readonly fields: readonly Shown[];
    readonly values: (record: T) => FormValues;
    readonly parse: (theirs: unknown) => T;
    /** A value as a person reads it. */
    readonly read?: (key: string, value: string) => string;
  },
): {
  readonly changes: readonly StaleChange[];
  save(send: (version: number) => Promise<unknown>): Promise<unknown>;
} {
  const [seen, setSeen] = useState(record);
  const [changes, setChanges] = useState<readonly StaleChange[]>([]);
  const attempt = async (
    send: (version: number) => Promise<unknown>,
    base: T,
  ): Promise<unknown> => {
    try {
      return await send(base.version);
    } catch (error) {
      const versions = staleVersions(error);
      if (versions === null) throw error;
      const theirs = of.parse(versions.theirs);
      const found = staleChanges(of.fields, of.values(base), of.values(theirs), of.read);
      if (found.length === 0 && theirs.version !== base.version) return attempt(send, theirs);
      setSeen(theirs);
      setChanges(found);
      throw new AppError("request.conflict", {
        message: textOf(STALE_TEXTS, "unsaved"),
        cause: error,
      });
    }
  };
  return {
    changes,
    save: (send) => (seen === null ? send(0) : attempt(send, seen)),
  };
}
