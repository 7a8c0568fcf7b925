/**
 * A form whose record another person changed meanwhile (docs/server.md#versions): what both changed, field by field, and what becomes of
 * it. Pure.
 */
import { sameIn } from "./fields.ts";
import type { AnyField } from "./kinds.ts";
import type { FieldValue, Values } from "./values.ts";

export type Side = "mine" | "theirs";

/** A field that the other person changed, and that does not hold the same in both versions. */
export interface Conflict {
  readonly field: AnyField;
  /** What the record held when this person read it. */
  readonly was: FieldValue | undefined;
  readonly theirs: FieldValue | undefined;
  readonly mine: FieldValue | undefined;
  /** Whose value is kept. Null: both changed the field, and this person has not chosen yet. */
  readonly side: Side | null;
}

/** What a person does with a record in a form. */
export interface Editing {
  /** The record as the next save is based on it: what is sent differs from it. */
  readonly base: Values;
  readonly values: Values;
  readonly conflicts: readonly Conflict[];
  /** The record on which the values were based before the conflicts. */
  readonly from: Values;
}

export const begun = (base: Values, values: Values = base): Editing => ({
  base,
  values,
  conflicts: [],
  from: base,
});

/**
 * The other person's version becomes the base. A field that only they changed takes their value, one that only this person changed keeps
 * this person's, and one that both changed waits for a choice.
 */
export function rebased(now: Editing, fields: readonly AnyField[], theirs: Values): Editing {
  const { base, values } = now;
  const conflicts = fields.flatMap((field): Conflict[] => {
    const { key } = field;
    if (sameIn(field, base, theirs) || sameIn(field, values, theirs)) return [];
    const side = sameIn(field, values, base) ? "theirs" : null;
    return [{ field, was: base[key], theirs: theirs[key], mine: values[key], side }];
  });
  const untouched = fields.filter((field) => sameIn(field, values, base));
  const taken = Object.fromEntries(
    untouched.flatMap(({ key }) => {
      const value = theirs[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
  return { base: { ...base, ...theirs }, values: { ...values, ...taken }, conflicts, from: base };
}

/** One side is chosen for the field, or for all. */
export function chosen(now: Editing, side: Side, key?: string): Editing {
  const picked = now.conflicts.filter(({ field }) => key === undefined || field.key === key);
  const values = Object.fromEntries(
    picked.flatMap((one) => {
      const value = one[side];
      return value === undefined ? [] : [[one.field.key, value]];
    }),
  );
  return {
    ...now,
    values: { ...now.values, ...values },
    conflicts: now.conflicts.map((one) => (picked.includes(one) ? { ...one, side } : one)),
  };
}

/** A person who types into a field with a conflict has chosen what they typed. */
export const typed = (now: Editing, values: Values): Editing => ({
  ...now,
  values,
  conflicts: now.conflicts.map((one) => {
    const { key } = one.field;
    return sameIn(one.field, values, now.values)
      ? one
      : { ...one, mine: values[key], side: "mine" as const };
  }),
});

/** The fields that wait for a choice. */
export const undecided = ({ conflicts }: Editing): readonly Conflict[] =>
  conflicts.filter(({ side }) => side === null);
