/** The form of a row. When another person changed its record meanwhile, the form says what they changed. */
import { versionSchema } from "../../../shared/protocol/rest/conflict.ts";
import { z } from "../../../shared/zod.ts";
import { type FormField, type FormValues, valuesOf } from "../form/fields.ts";
import { FormDialog } from "../form/FormDialog.tsx";
import { useVersions } from "../form/stale.ts";
import { TakenDialog } from "../taken/TakenDialog.tsx";
import { StaleNote } from "../form/StaleNote.tsx";

const recordSchema = z.looseObject({ version: versionSchema });
export type VersionedRecord = z.infer<typeof recordSchema>;

export function RowDialog(props: {
  /** Whether the person may still make the call that saves. */
  readonly may: boolean;
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  /** Null for a new row, and for records without a version. */
  readonly record: VersionedRecord | null;
  readonly save: (values: FormValues, changed: FormValues, version: number) => Promise<unknown>;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { fields } = props;
  const versions = useVersions(props.record, {
    fields,
    values: (record) => valuesOf(fields, record),
    parse: (theirs) => recordSchema.parse(theirs),
    read: (key, value) => labelOf(fields, key, value),
  });
  if (!props.may) return <TakenDialog title={props.title} onClose={props.onClose} />;
  return (
    <FormDialog
      title={props.title}
      intro={<StaleNote changes={versions.changes} />}
      fields={fields}
      values={props.values}
      save={(values, changed) => versions.save((version) => props.save(values, changed, version))}
      onClose={props.onClose}
      onSaved={props.onSaved}
    />
  );
}

const labelOf = (fields: readonly FormField[], key: string, value: string): string =>
  fields.find((field) => field.key === key)?.options?.find((one) => one.value === value)?.label ??
  value;
