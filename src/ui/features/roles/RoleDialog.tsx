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

const NAME_MAX = 50;

/** @param props.from the role that a new one copies; null for one without rights */
export function RoleDialog(props: {
  readonly role: RoleRow | null;
  readonly from: RoleRow | null;
  readonly onClose: () => void;
}) {
  const { role, from } = props;
  const text = useTexts(ROLE_TEXTS);
  const { rest } = useCore().commands;
  const fields = formFields([
    { key: "name", label: text("name"), required: true, max: NAME_MAX },
    { key: "remark", label: text("remark"), input: "area", max: 500 },
  ]);
  // the end of the name tells it from the one that is copied
  const copied = (name: string): string => {
    const end = text("copyName", { name: "" });
    return text("copyName", { name: name.slice(0, NAME_MAX - end.length) });
  };
  return (
    <FormDialog
      title={
        from !== null
          ? text("copyOf", { name: from.name })
          : text(role === null ? "create" : "edit")
      }
      {...(from === null ? {} : { intro: <p>{text("copyHint", { name: from.name })}</p> })}
      fields={fields}
      values={
        from === null
          ? valuesOf(role ?? { name: "", remark: "" })
          : { name: copied(from.name), remark: from.remark }
      }
      versions={versionsOf(role, {
        id: ({ id }) => id,
        parse: (theirs) => roleRowSchema.parse(theirs),
      })}
      save={(values, changed, version) =>
        role === null
          ? rest.call({
              call: "roles.create",
              body: { ...values, ...(from === null ? {} : { fromId: from.id }) },
            })
          : rest.call({ call: "roles.update", body: { id: role.id, version, ...changed } })
      }
      onClose={props.onClose}
      onSaved={() => showMessage("success", text("saved"))}
    />
  );
}
