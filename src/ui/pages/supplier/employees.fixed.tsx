/** Employees of the company. */
import { Button } from "@arco-design/web-react";
import { IconImport } from "@arco-design/web-react/icon";
import { lazy, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import type { PageCallData, PageCallInput } from "../../../shared/protocol/rest/page-calls.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { type AnyField, valuesOf } from "../../components/form/fields.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { departmentTree } from "../../features/departments/choices.ts";
import { useDepartments } from "../../features/departments/useDepartments.ts";
import { employeeAdvanced } from "../../features/employees/advanced.ts";
import { employeeBody, employeeFormFields, NEW_EMPLOYEE } from "../../features/employees/fields.ts";
import {
  dictsWith,
  hasOwn,
  ownKey,
  ownText,
  type OwnValues,
  withOwn,
} from "../../features/fields/own-fields.ts";
import type * as BehindList from "../../features/employees/behind-list.ts";
import { OwnValue } from "../../features/employees/OwnValue.tsx";
import { EMPLOYEE_TEXTS } from "../../features/employees/texts.ts";
import { useOwnFields } from "../../features/employees/useOwnFields.ts";
import { useFieldsInUse } from "../../features/fields/useFieldsInUse.ts";
import { currentLanguage } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { retrying } from "../../state/retrying.ts";
import { serverNow, useServices, useSlice } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { choicesOf, labelOf, useDicts } from "../../state/useDicts.ts";
import { Part } from "../../components/Part.tsx";

const EmployeeDialog = lazy(() =>
  retrying(() => import("../../features/employees/EmployeeDialog.tsx")).then((m) => ({
    default: m.EmployeeDialog,
  })),
);
const InviteDialog = lazy(() =>
  retrying(() => import("../../features/employees/InviteDialog.tsx")).then((m) => ({
    default: m.InviteDialog,
  })),
);
const LeaveDialog = lazy(() =>
  retrying(() => import("../../features/employees/LeaveDialog.tsx")).then((m) => ({
    default: m.LeaveDialog,
  })),
);

type Body<I extends "employees.create" | "employees.update"> = PageCallInput<I>["body"];

/** The day in China, where the companies are. */
const chinaDay = (at: number): string => new Date(at + 8 * 3_600_000).toISOString().slice(0, 10);

/** With it a usual list of employees fits a window of 1280 px without scrolling sideways. */
const NARROW = "minmax(104px, 1fr)";
const NARROWER = "minmax(88px, 0.8fr)";
/** Eleven digits and the space beside them. */
const PHONE = "minmax(124px, 1fr)";

export default function EmployeesPage() {
  const { t } = useTranslation();
  const text = useTexts(EMPLOYEE_TEXTS);
  const navigate = useNavigate();
  const may = useMay();
  const { core, downloads } = useServices();
  const { rest } = core.commands;
  const { byKey } = useSlice("imports");
  const own = useOwnFields();
  const inUse = useFieldsInUse("employee");
  const [today] = useState(() => chinaDay(serverNow(core)));
  const [behind, setBehind] = useState<typeof BehindList | null>(null);
  useEffect(() => {
    let live = true;
    void retrying(() => import("../../features/employees/behind-list.ts")).then(
      (loaded) => live && setBehind(loaded),
    );
    return () => {
      live = false;
    };
  }, []);
  const dicts = useDicts(dictsWith(own));
  const [changes, setChanges] = useState(0);
  const [shown, setShown] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<PageCallData<"employees.get"> | null>(null);
  const [inviting, setInviting] = useState(false);
  const reload = (): void => setChanges((n) => n + 1);
  const get = (id: string) => rest.call({ call: "employees.get", params: { id } });
  const mayRead = may("employees.get");
  const { state: treeState, rows: departments } = useDepartments();
  const tree = departmentTree(departments);
  const fields = employeeFormFields({
    departments: tree,
    language: currentLanguage(),
    optionsOf: (dict) => choicesOf(dicts[dict]),
    wrong: {
      idNumber: text("idNumber"),
      phone: text("phone"),
      email: text("email"),
      date: text("date"),
      sign: text("sign"),
      contradiction: text("contradiction"),
    },
    today,
    rules: behind?.formRules ?? null,
    own,
    inUse,
  });
  /** A department that is known by its name alone is no choice, so the form says what it is. */
  const withHint = (field: AnyField, name: string | null): AnyField =>
    field.key === "departmentId" && name !== null && !departments.some((d) => d.name === name)
      ? { ...field, hint: text("otherDepartment", { name }) }
      : field;
  return (
    <>
      <ListPage
        call="employees.list"
        title={text("title")}
        total={(count) => text("total", { count })}
        search={text("search")}
        failed={text("failed")}
        empty={text("empty")}
        exports={{ name: text("title"), call: "employees.update" }}
        filterBar={
          // what was chosen before counts from the first request on, also while the tree is unknown
          inUse.uses("department") && (tree.length > 0 || treeState === "loading")
            ? [{ key: "departmentId", label: t("employees.fields.department"), nodes: tree }]
            : []
        }
        {...(mayRead
          ? {
              advanced: employeeAdvanced(
                currentLanguage(),
                (dict) => choicesOf(dicts[dict]),
                own,
                inUse,
              ),
            }
          : {})}
        // A finished import changes the list.
        refresh={Object.values(byKey).filter((job) => job.state === "done").length + changes}
        nameOf={({ name }) => name}
        {...(mayRead ? { find: get } : {})}
        arranged={(columns, keyOf) => inUse.inOrder(columns, keyOf)}
        columns={[
          {
            title: t("employees.fields.name"),
            sort: "name",
            render: ({ id, name, userName }) => (
              <>
                <Avatar name={name} person={userName} size={28} />
                {mayRead ? (
                  <button
                    type="button"
                    className="list-page-link ellipsis"
                    data-call="employees.get"
                    onClick={() => setShown(id)}
                  >
                    {name}
                  </button>
                ) : (
                  <span className="ellipsis">{name}</span>
                )}
              </>
            ),
            cell: ({ name }) => name,
            pending: null,
            verbatim: true,
            className: "list-page-person",
            width: "minmax(140px, 1.4fr)",
          },
          {
            title: t("employees.fields.phone"),
            sort: "phone",
            render: ({ phone }) => phone,
            pending: "…",
            verbatim: true,
            className: "tnum ellipsis",
            width: PHONE,
          },
          {
            title: t("employees.fields.department"),
            sort: "department",
            render: ({ department }) => department,
            width: NARROW,
          },
          {
            title: t("employees.fields.position"),
            sort: "position",
            render: ({ position }) => position,
            width: NARROW,
          },
          {
            key: "account",
            title: text("account"),
            verbatim: true,
            render: ({ userName }) => userName,
            width: NARROWER,
          },
          ...(mayRead ? own : []).map((field) => ({
            key: ownKey(field.key),
            title: field.label,
            render: ({ custom = {} }: { readonly custom?: OwnValues | undefined }) =>
              hasOwn(field, custom) ? (
                <OwnValue field={field} values={custom} dicts={dicts} />
              ) : null,
            cell: ({ custom = {} }: { readonly custom?: OwnValues | undefined }) =>
              ownText(field, custom, (dict, value) => labelOf(dicts[dict], value)),
            width: NARROWER,
          })),
          ...(mayRead && behind !== null ? [behind.lackedColumn()] : []),
        ]}
        form={{
          calls: { create: "employees.create", edit: "employees.update" },
          createTitle: text("create"),
          editTitle: text("edit"),
          fields: (row) => fields.map((field) => withHint(field, row?.department ?? null)),
          record: ({ id }) => get(id),
          read: withOwn,
          values: (_, record) => valuesOf(fields, record === null ? NEW_EMPLOYEE : withOwn(record)),
          // The form's fields are those of the schema, as both come from the table of employee fields.
          save: (row, values, changed, version) =>
            row === null
              ? rest.call({
                  call: "employees.create",
                  body: employeeBody(values, own) as unknown as Body<"employees.create">,
                })
              : rest.call({
                  call: "employees.update",
                  body: {
                    id: row.id,
                    version,
                    ...employeeBody(changed, own),
                  } as Body<"employees.update">,
                }),
        }}
        rowActions={[
          {
            label: text("leave"),
            call: "employees.dimission",
            onClick: ({ id }) => void get(id).then(setLeaving, showError),
          },
        ]}
        remove={{
          call: "employees.delete",
          many: "each",
          // the server keeps the record of a person who has an account
          when: ({ accountId }) => accountId === null,
          run: (rows) =>
            Promise.all(
              rows.map(({ id }) => rest.call({ call: "employees.delete", params: { id } })),
            ),
        }}
        bulk={
          behind?.employeeBulk({
            department: t("employees.fields.department"),
            departments: tree,
            now: serverNow(core),
            core,
            downloads,
            get,
            name: text("title"),
            own,
            inUse,
          }) ?? []
        }
        actions={
          may("employees.invite", "imports.create") && (
            <>
              <Button data-call="employees.invite" onClick={() => setInviting(true)}>
                {text("invite")}
              </Button>
              <Button
                icon={<IconImport />}
                data-call="imports.create"
                onClick={() => void navigate("/DataBatchImport2/index")}
              >
                {t("imports.title")}
              </Button>
            </>
          )
        }
      />
      <Part onFailed={() => setShown(null)}>
        {shown !== null && (
          <EmployeeDialog id={shown} onClose={() => setShown(null)} onChanged={reload} />
        )}
      </Part>
      <Part onFailed={() => setLeaving(null)}>
        {leaving !== null && (
          <LeaveDialog employee={leaving} onClose={() => setLeaving(null)} onSaved={reload} />
        )}
      </Part>
      <Part onFailed={() => setInviting(false)}>
        {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      </Part>
    </>
  );
}
