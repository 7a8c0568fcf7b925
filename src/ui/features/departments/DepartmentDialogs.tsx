/** The forms of a department: new, changed, merged into another. */
import { departmentSchema, type Department } from "../../../shared/protocol/rest/departments.ts";
import { type ReactNode, useState } from "react";
import { type ControlProps, formFields } from "../../components/form/kinds.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { versionsOf } from "../../components/form/versions.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { departmentTree } from "./choices.ts";
import { EmployeeSelect } from "./EmployeeSelect.tsx";
import { DEPARTMENT_TEXTS } from "./texts.ts";

/** The value of a choice that stands for no parent. */
const TOP = "top";
const valuesOf = ({ name, parentId, head }: Pick<Department, "name" | "parentId" | "head">) => ({
  name,
  parentId: parentId ?? TOP,
  headId: head?.id ?? "",
});
const parentOf = (value: string): string | null => (value === TOP ? null : value);
const headOf = (value: string): string | null => (value === "" ? null : value);
const called = ({ id, name }: NonNullable<Department["head"]>) => [id, name] as const;
const VERSIONS = {
  id: ({ id }: Department) => id,
  parse: (theirs: unknown) => departmentSchema.parse(theirs),
  values: valuesOf,
};

/** @param names what people are called, by id */
const choosing =
  (names: Map<string, string>) =>
  (control: ControlProps): ReactNode => <EmployeeSelect {...control} names={names} />;

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
  /** What people are called whose ids the form holds. */
  const [names] = useState(
    () => new Map(department?.head == null ? [] : [called(department.head)]),
  );
  const parents = [
    { value: TOP, label: text("top"), children: [] },
    ...departmentTree(rows, department?.id ?? null),
  ];
  const fields = formFields([
    {
      key: "name",
      label: text("name"),
      required: true,
      max: 100,
      check: (name) => (name.includes("/") ? text("slash") : null),
    },
    { key: "parentId", label: text("parent"), input: "tree", required: true, nodes: parents },
    {
      key: "headId",
      label: text("head"),
      control: choosing(names),
      say: (id) => names.get(id) ?? id,
    },
  ]);
  return (
    <FormDialog
      title={text(department === null ? "createTitle" : "editTitle")}
      fields={fields}
      values={valuesOf(department ?? { name: "", parentId: props.below, head: null })}
      versions={versionsOf(department, {
        ...VERSIONS,
        parse: (theirs) => {
          const parsed = departmentSchema.parse(theirs);
          if (parsed.head !== null) names.set(...called(parsed.head));
          return parsed;
        },
      })}
      save={({ name, parentId, headId }, changed, version) => {
        if (department === null) {
          const body = { name, parentId: parentOf(parentId), headId: headOf(headId) };
          return rest.call({ call: "departments.create", body });
        }
        const { parentId: moved, headId: given, ...renamed } = changed;
        const body = {
          id: department.id,
          version,
          ...renamed,
          ...(moved === undefined ? {} : { parentId: parentOf(moved) }),
          ...(given === undefined ? {} : { headId: headOf(given) }),
        };
        return rest.call({ call: "departments.update", body });
      }}
      onClose={props.onClose}
      onSaved={() => showMessage("success", text("saved"))}
    />
  );
}

export function MergeDialog(props: DialogProps & { readonly department: Department }) {
  const { rows, department } = props;
  const { id, name } = department;
  const text = useTexts(DEPARTMENT_TEXTS);
  const { rest } = useCore().commands;
  const fields = formFields([
    {
      key: "intoId",
      label: text("into"),
      input: "tree",
      required: true,
      nodes: departmentTree(rows, id),
    },
  ]);
  const nameOf = (parentId: string): string =>
    rows.find((one) => one.id === parentId)?.name ?? text("top");
  return (
    <FormDialog
      title={text("mergeTitle", { name })}
      intro={<p>{text("mergeHint", { name })}</p>}
      okText={text("merge")}
      fields={fields}
      values={{ intoId: "" }}
      versions={versionsOf(department, {
        ...VERSIONS,
        also: [
          { key: "name", label: text("name") },
          { key: "parentId", label: text("parent"), say: nameOf },
        ],
      })}
      save={({ intoId }, _changed, version) =>
        rest.call({ call: "departments.merge", body: { id, version, intoId } })
      }
      onClose={props.onClose}
      onSaved={() => showMessage("success", text("merged"))}
    />
  );
}
