/** The forms of a department: new, changed, merged into another. */
import { departmentSchema, type Department } from "../../../shared/protocol/rest/departments.ts";
import type { FormField } from "../../components/form/fields.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useVersions } from "../../components/form/stale.ts";
import { StaleNote } from "../../components/form/StaleNote.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { tell } from "../../state/tell.ts";
import { departmentChoices } from "./choices.ts";
import { DEPARTMENT_TEXTS } from "./texts.ts";

/** The value of a choice that stands for no parent. */
const TOP = "top";
const valuesOf = ({ name, parentId }: Pick<Department, "name" | "parentId">) => ({
  name,
  parentId: parentId ?? TOP,
});
const parentOf = (value: string | undefined): string | null =>
  value === undefined || value === TOP ? null : value;

interface DialogProps {
  readonly rows: readonly Department[];
  readonly onClose: () => void;
}

/** @param props.below the parent of a new department; ignored for an existing one */
export function DepartmentDialog(
  props: DialogProps & { readonly department: Department | null; readonly below: string | null },
) {
  const { rows, department } = props;
  const text = useTexts(DEPARTMENT_TEXTS);
  const { rest } = useCore().commands;
  const parents = [
    { value: TOP, label: text("top") },
    ...departmentChoices(rows, department?.id ?? null),
  ];
  const fields: readonly FormField[] = [
    {
      key: "name",
      label: text("name"),
      required: true,
      max: 100,
      check: (name) => (name.includes("/") ? text("slash") : null),
    },
    {
      key: "parentId",
      label: text("parent"),
      input: "select",
      required: true,
      search: true,
      options: parents,
    },
  ];
  const versions = useVersions(department, {
    fields,
    values: valuesOf,
    parse: (theirs) => departmentSchema.parse(theirs),
    read: (key, value) =>
      key === "parentId" ? (parents.find((one) => one.value === value)?.label ?? value) : value,
  });
  return (
    <FormDialog
      title={text(department === null ? "createTitle" : "editTitle")}
      intro={<StaleNote changes={versions.changes} />}
      fields={fields}
      values={valuesOf(department ?? { name: "", parentId: props.below })}
      save={(values, changed) => {
        if (department === null) {
          const body = { name: values["name"] ?? "", parentId: parentOf(values["parentId"]) };
          return rest.call({ call: "departments.create", body });
        }
        const { name, parentId } = changed;
        const body = {
          id: department.id,
          ...(name === undefined ? {} : { name }),
          ...(parentId === undefined ? {} : { parentId: parentOf(parentId) }),
        };
        return versions.save((version) =>
          rest.call({ call: "departments.update", body: { ...body, version } }),
        );
      }}
      onClose={props.onClose}
      onSaved={() => tell("success", text("saved"))}
    />
  );
}

export function MergeDialog(props: DialogProps & { readonly department: Department }) {
  const { rows, department } = props;
  const { id, name } = department;
  const text = useTexts(DEPARTMENT_TEXTS);
  const { rest } = useCore().commands;
  const fields: readonly FormField[] = [
    {
      key: "intoId",
      label: text("into"),
      input: "select",
      required: true,
      search: true,
      options: departmentChoices(rows, id),
    },
  ];
  const shown = [
    { key: "name", label: text("name") },
    { key: "parentId", label: text("parent") },
  ];
  const versions = useVersions(department, {
    fields: shown,
    values: valuesOf,
    parse: (theirs) => departmentSchema.parse(theirs),
    read: (key, value) =>
      key === "parentId" ? (rows.find((one) => one.id === value)?.name ?? text("top")) : value,
  });
  return (
    <FormDialog
      title={text("mergeTitle", { name })}
      intro={
        <>
          <p>{text("mergeHint", { name })}</p>
          <StaleNote changes={versions.changes} />
        </>
      }
      okText={text("merge")}
      fields={fields}
      values={{ intoId: "" }}
      save={({ intoId = "" }) =>
        versions.save((version) =>
          rest.call({ call: "departments.merge", body: { id, version, intoId } }),
        )
      }
      onClose={props.onClose}
      onSaved={() => tell("success", text("merged"))}
    />
  );
}
