/** The form of a role. */
import { roleRowSchema, type RoleRow } from "../../../shared/protocol/rest/roles.ts";
import { formFields } from "../../components/form/kinds.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { versionsOf } from "../../components/form/versions.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { ROLE_TEXTS } from "./texts.ts";

const valuesOf = ({ name, remark }: Pick<RoleRow, "name" | "remark">) => ({ name, remark });

export function RoleDialog(props: { readonly role: RoleRow | null; readonly onClose: () => void }) {
  const { role } = props;
  const text = useTexts(ROLE_TEXTS);
  const { rest } = useCore().commands;
  const fields = formFields([
    { key: "name", label: text("name"), required: true, max: 50 },
    { key: "remark", label: text("remark"), input: "area", max: 500 },
  ]);
  return (
    <FormDialog
      title={text(role === null ? "create" : "edit")}
      fields={fields}
      values={valuesOf(role ?? { name: "", remark: "" })}
      versions={versionsOf(role, {
        id: ({ id }) => id,
        parse: (theirs) => roleRowSchema.parse(theirs),
      })}
      save={(values, changed, version) =>
        role === null
          ? rest.call({ call: "roles.create", body: values })
          : rest.call({ call: "roles.update", body: { id: role.id, version, ...changed } })
      }
      onClose={props.onClose}
      onSaved={() => showMessage("success", text("saved"))}
    />
  );
}
