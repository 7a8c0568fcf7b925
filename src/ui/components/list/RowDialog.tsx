/** The form of a row, whose record another person may change meanwhile. */
import { versionSchema } from "../../../shared/protocol/rest/conflict.ts";
import { z } from "../../../shared/zod.ts";
import { FormDialog } from "../form/FormDialog.tsx";
import type { AnyField, ChangedOf, StartOf, ValuesOf } from "../form/kinds.ts";
import { versionsOf } from "../form/versions.ts";
import { TakenDialog } from "../taken/TakenDialog.tsx";

const recordSchema = z.looseObject({ version: versionSchema });
export type VersionedRecord = z.infer<typeof recordSchema>;

export function RowDialog<const F extends readonly AnyField[]>(props: {
  /** Whether the person may still make the call that saves. */
  readonly may: boolean;
  readonly title: string;
  readonly fields: F;
  readonly values: StartOf<F>;
  /** Null for a new row, and for records without a version. */
  readonly record: VersionedRecord | null;
  /** Left out: a record names its parts as the fields are named. */
  readonly read?: ((record: VersionedRecord) => Readonly<Record<string, unknown>>) | undefined;
  readonly save: (values: ValuesOf<F>, changed: ChangedOf<F>, version: number) => Promise<unknown>;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { record, read } = props;
  if (!props.may) return <TakenDialog title={props.title} onClose={props.onClose} />;
  return (
    <FormDialog
      title={props.title}
      fields={props.fields}
      values={props.values}
      versions={versionsOf(record, {
        id: ({ id }) => String(id),
        parse: (theirs) => recordSchema.parse(theirs),
        ...(read === undefined ? {} : { values: read }),
      })}
      save={props.save}
      onClose={props.onClose}
      onSaved={props.onSaved}
    />
  );
}
