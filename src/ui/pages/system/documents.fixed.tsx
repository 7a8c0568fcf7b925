/** The inaugural documents that the company asks of its employees (docs/server.md#inaugural-documents). */
import { documentKindSchema } from "../../../shared/protocol/rest/document-kinds.ts";
import { formFields, valuesOf } from "../../components/form/fields.ts";
import { placedNodes } from "../../components/form/tree-nodes.ts";
import type { DayRange } from "../../components/form/values.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { departmentTree } from "../../features/departments/choices.ts";
import { useDepartments } from "../../features/departments/useDepartments.ts";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";

const TEXTS = texts({
  heading: ["入职材料", "Onboarding documents"],
  total: ["共 {{count}} 项材料", "{{count}} {count|document|documents}"],
  failed: ["材料未能加载", "The documents could not be loaded"],
  empty: ["添加员工入职时需要提交的材料。", "Add what new employees must hand in."],
  search: ["材料名称", "Title of the document"],
  title: ["材料名称", "Title"],
  required: ["必交", "Required"],
  dated: ["有有效期", "Valid until a day"],
  sort: ["排序", "Order"],
  departments: ["适用部门", "Departments"],
  departmentsHint: [
    "含下级部门；不选为全体员工",
    "With those below; without any, everybody is asked",
  ],
  departmentCount: ["{{count}} 个部门", "{{count}} {count|department|departments}"],
  hired: ["适用入职日期", "Hired"],
  hiredHint: [
    "只要求在此期间入职的员工提交；不填为全体员工",
    "Only those who were hired in this time are asked; without days, everybody is",
  ],
  everybody: ["全体员工", "Everybody"],
  always: ["不限", "At any time"],
  from: ["{{from}} 起", "From {{from}}"],
  until: ["至 {{to}}", "Until {{to}}"],
  between: ["{{from}} 至 {{to}}", "{{from}} to {{to}}"],
  yes: ["是", "Yes"],
  no: ["否", "No"],
  create: ["新增材料", "New document"],
  edit: ["修改材料", "Edit document"],
});

const SORT_MAX = 9999;

interface Hired {
  readonly hiredFrom: string | null;
  readonly hiredTo: string | null;
}
const rangeOf = ({ hiredFrom, hiredTo }: Hired): DayRange => ({
  from: hiredFrom ?? "",
  to: hiredTo ?? "",
});
const hiredOf = ({ from, to }: DayRange): Hired => ({
  hiredFrom: from === "" ? null : from,
  hiredTo: to === "" ? null : to,
});

export default function InauguralDocumentsPage() {
  const text = useTexts(TEXTS);
  const { rest } = useCore().commands;
  const { rows: departments } = useDepartments();
  const nodes = departmentTree(departments);
  const places = new Map(placedNodes(nodes).map(({ value, path }) => [value, path]));
  const departmentsOf = (ids: readonly string[]): string => {
    if (ids.length === 0) return text("everybody");
    const known = ids.flatMap((id) => places.get(id) ?? []);
    // who may not read the departments sees how many
    return known.length > 0 ? known.join("、") : text("departmentCount", { count: ids.length });
  };
  const hiredText = ({ from, to }: DayRange): string =>
    from === "" && to === ""
      ? text("always")
      : to === ""
        ? text("from", { from })
        : from === ""
          ? text("until", { to })
          : text("between", { from, to });
  const fields = formFields([
    { key: "title", label: text("title"), required: true, max: 50 },
    { key: "required", label: text("required"), input: "switch" },
    { key: "dated", label: text("dated"), input: "switch" },
    {
      key: "departmentIds",
      label: text("departments"),
      input: "trees",
      nodes,
      hint: text("departmentsHint"),
      shownWhen: () => nodes.length > 0,
      say: departmentsOf,
    },
    {
      key: "hired",
      label: text("hired"),
      input: "range",
      hint: text("hiredHint"),
      say: hiredText,
    },
    {
      key: "sort",
      label: text("sort"),
      input: "number",
      required: true,
      min: 0,
      max: SORT_MAX,
      step: 1,
    },
  ]);
  return (
    <ListPage
      call="documentKinds.list"
      title={text("heading")}
      total={(count) => text("total", { count })}
      search={text("search")}
      failed={text("failed")}
      empty={text("empty")}
      nameOf={({ title }) => title}
      columns={[
        { title: text("title"), sort: "title", render: ({ title }) => title },
        {
          key: "required",
          title: text("required"),
          render: ({ required }) => text(required ? "yes" : "no"),
          width: "minmax(96px, 0.5fr)",
        },
        {
          key: "dated",
          title: text("dated"),
          render: ({ dated }) => text(dated ? "yes" : "no"),
          width: "minmax(96px, 0.5fr)",
        },
        {
          key: "departmentIds",
          title: text("departments"),
          render: ({ departmentIds }) => departmentsOf(departmentIds),
        },
        { key: "hired", title: text("hired"), render: (row) => hiredText(rangeOf(row)) },
        {
          title: text("sort"),
          sort: "sort",
          render: ({ sort }) => sort,
          width: "minmax(96px, 0.5fr)",
        },
      ]}
      form={{
        calls: { create: "documentKinds.create", edit: "documentKinds.update" },
        createTitle: text("create"),
        editTitle: text("edit"),
        fields: () => fields,
        record: (row) => row,
        read: (record) => {
          const kind = documentKindSchema.parse(record);
          return { ...kind, hired: rangeOf(kind) };
        },
        values: (row) =>
          valuesOf(
            fields,
            row === null
              ? { required: true, dated: false, sort: 0 }
              : { ...row, hired: rangeOf(row) },
          ),
        save: (row, values, changed, version) => {
          if (row === null) {
            const { sort, hired, departmentIds, ...given } = values;
            const body = { ...given, sort: sort ?? 0, departmentIds: [...(departmentIds ?? [])] };
            return rest.call({
              call: "documentKinds.create",
              body: { ...body, ...hiredOf(hired) },
            });
          }
          const { sort, hired, departmentIds, ...given } = changed;
          return rest.call({
            call: "documentKinds.update",
            body: {
              id: row.id,
              version,
              ...given,
              ...(typeof sort === "number" ? { sort } : {}),
              ...(departmentIds === undefined ? {} : { departmentIds: [...departmentIds] }),
              ...(hired === undefined ? {} : hiredOf(hired)),
            },
          });
        },
      }}
      remove={{
        call: "documentKinds.delete",
        run: (rows) =>
          Promise.all(
            rows.map(({ id }) => rest.call({ call: "documentKinds.delete", params: { id } })),
          ),
      }}
    />
  );
}
