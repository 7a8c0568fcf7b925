/** The inaugural documents that the company asks of its employees (docs/server.md#inaugural-documents). */
import type { FormField } from "../../components/form/fields.ts";
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
  sort: ["排序", "Order"],
  sortWrong: ["应为 0 到 9999 的整数", "A whole number from 0 to 9999"],
  yes: ["是", "Yes"],
  no: ["否", "No"],
  create: ["新增材料", "New document"],
  edit: ["修改材料", "Edit document"],
});

const isOrder = (value: string): boolean => /^\d{1,4}$/.test(value);

export default function InauguralDocumentsPage() {
  const text = useTexts(TEXTS);
  const { rest } = useCore().commands;
  const fields: readonly FormField[] = [
    { key: "title", label: text("title"), required: true, max: 50 },
    {
      key: "required",
      label: text("required"),
      input: "select",
      required: true,
      options: [
        { value: "Y", label: text("yes") },
        { value: "N", label: text("no") },
      ],
    },
    {
      key: "sort",
      label: text("sort"),
      input: "number",
      required: true,
      check: (value) => (isOrder(value) ? null : text("sortWrong")),
    },
  ];
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
        values: (row) => ({
          title: row?.title ?? "",
          required: row?.required === false ? "N" : "Y",
          sort: String(row?.sort ?? 0),
        }),
        save: (row, values, changed, version) =>
          row === null
            ? rest.call({
                call: "documentKinds.create",
                body: {
                  title: values["title"] ?? "",
                  required: values["required"] === "Y",
                  sort: Number(values["sort"]),
                },
              })
            : rest.call({
                call: "documentKinds.update",
                body: {
                  id: row.id,
                  version,
                  ...(changed["title"] === undefined ? {} : { title: changed["title"] }),
                  ...(changed["required"] === undefined
                    ? {}
                    : { required: changed["required"] === "Y" }),
                  ...(changed["sort"] === undefined ? {} : { sort: Number(changed["sort"]) }),
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
