/** The form of a role. */
import { roleRowSchema, type RoleRow } from "../../../shared/protocol/rest/roles.ts";
import type { FormField } from "../../components/form/fields.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useVersions } from "../../components/form/stale.ts";
import { StaleNote } from "../../components/form/StaleNote.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { tell } from "../../state/tell.ts";
import { ROLE_TEXTS } from "./texts.ts";

const valuesOf = ({ name, remark }: Pick<RoleRow, "name" | "remark">) => ({ name, remark });

export function RoleDialog(props: { readonly role: RoleRow | null; readonly onClose: () => void }) {
  const { role } = props;
  const text = useTexts(ROLE_TEXTS);
  const { rest } = useCore().commands;
  const fields: readonly FormField[] = [
    { key: "name", label: text("name"), required: true, max: 50 },
    { key: "remark", label: text("remark"), input: "area", max: 500 },
  ];
  const versions = useVersions(role, {
    fields,
    values: valuesOf,
    parse: (theirs) => roleRowSchema.parse(theirs),
  });
  return (
    <FormDialog
      title={text(role === null ? "create" : "edit")}
      intro={<StaleNote changes={versions.changes} />}
      fields={fields}
      values={valuesOf(role ?? { name: "", remark: "" })}
      save={({ name = "", remark = "" }, changed) =>
        role === null
          ? rest.call({ call: "roles.create", body: { name, remark } })
          : versions.save((version) =>
              rest.call({ call: "roles.update", body: { id: role.id, version, ...changed } }),
            )
      }
      onClose={props.onClose}
      onSaved={() => tell("success", text("saved"))}
    />
  );
}
