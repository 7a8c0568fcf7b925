/** The inaugural documents that the company asks of its employees (docs/server.md#inaugural-documents). */
import { formFields, valuesOf } from "../../components/form/fields.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";

const TEXTS = texts({
  heading: ["入职材料", "Onboarding documents"],
  total: ["共 {{count}} 项材料", "{{count}} documents"],
  failed: ["材料未能加载", "The documents could not be loaded"],
  search: ["材料名称", "Title of the document"],
  title: ["材料名称", "Title"],
  required: ["必交", "Required"],
  dated: ["有有效期", "Valid until a day"],
  sort: ["排序", "Order"],
  yes: ["是", "Yes"],
  no: ["否", "No"],
  create: ["新增材料", "New document"],
  edit: ["修改材料", "Edit document"],
});

const SORT_MAX = 9999;

export default function InauguralDocumentsPage() {
  const text = useTexts(TEXTS);
  const { rest } = useCore().commands;
  const fields = formFields([
    { key: "title", label: text("title"), required: true, max: 50 },
    { key: "required", label: text("required"), input: "switch" },
    { key: "dated", label: text("dated"), input: "switch" },
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
        values: (row) => valuesOf(fields, row ?? { required: true, dated: false, sort: 0 }),
        save: (row, { sort, ...values }, { sort: order, ...changed }, version) =>
          row === null
            ? rest.call({ call: "documentKinds.create", body: { ...values, sort: sort ?? 0 } })
            : rest.call({
                call: "documentKinds.update",
                body: {
                  id: row.id,
                  version,
                  ...changed,
                  ...(typeof order === "number" ? { sort: order } : {}),
                },
              }),
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
