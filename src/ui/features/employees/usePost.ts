/** The post that an invitation gives: department, position and roles. The same fields by link and by SMS. */
import { useTranslation } from "react-i18next";
import { DEPARTMENT_MAX } from "../../../shared/domain/employee-fields.ts";
import { formFields, type ValuesOf } from "../../components/form/fields.ts";
import { useTexts } from "../../i18n/texts.ts";
import { departmentTree } from "../departments/choices.ts";
import { useDepartments } from "../departments/useDepartments.ts";
import { useFieldsInUse } from "../fields/useFieldsInUse.ts";
import { DIALOG_TEXTS } from "./dialog-texts.ts";
import { useRolesToGive } from "./useRolesToGive.ts";

export const POSITION_MAX = 100;
export const NO_POST = { departmentId: "", department: "", position: "", roleIds: [] } as const;

/** @returns null until the departments and roles are known: nothing is asked before, so that no answer is lost */
export function usePost() {
  const { t } = useTranslation();
  const text = useTexts(DIALOG_TEXTS);
  const { rows: departments, state } = useDepartments();
  const given = useRolesToGive();
  const inUse = useFieldsInUse("employee");
  if (state === "loading" || given === null) return null;
  // Who joins cannot say it, as the link shows nobody the departments.
  const required = inUse.requires("department");
  const hasDepartments = departments.length > 0;
  const fields = formFields([
    {
      key: "departmentId",
      label: t("employees.fields.department"),
      input: "tree",
      required,
      nodes: departmentTree(departments),
      shownWhen: () => hasDepartments,
    },
    {
      key: "department",
      label: t("employees.fields.department"),
      max: DEPARTMENT_MAX,
      required,
      shownWhen: () => !hasDepartments,
    },
    { key: "position", label: t("employees.fields.position"), max: POSITION_MAX },
    {
      key: "roleIds",
      label: text("roles"),
      input: "multi",
      look: "tags",
      options: given,
      hint: text("rolesGiven"),
      shownWhen: () => given.length > 0,
    },
  ]);
  type Post = Partial<ValuesOf<typeof fields>>;
  return {
    fields,
    /** What the calls take of a post. */
    bodyOf: ({ departmentId = "", department = "", position = "", roleIds = [] }: Post) => ({
      position,
      roleIds: [...roleIds],
      ...(hasDepartments ? { departmentId: departmentId || null } : { department }),
    }),
    /** What a person calls the post; "" when nothing of it is given. */
    nameOf: ({ departmentId, department = "", position = "" }: Post): string =>
      [departments.find(({ id }) => id === departmentId)?.name ?? department, position]
        .filter((part) => part !== "")
        .join(" "),
  };
}
