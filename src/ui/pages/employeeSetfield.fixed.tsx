/** The company's own fields of employees: form, list, details, import, export and filter of employees have them (docs/server.md#own-fields). */
import { OWN_FIELD_TYPES } from "../../shared/protocol/rest/own-fields.ts";
import { formFields, valuesOf } from "../components/form/fields.ts";
import { ListPage } from "../components/ListPage.tsx";
import { texts, useTexts } from "../i18n/texts.ts";
import { useCore } from "../state/services.ts";
import { useRead } from "../state/useRead.ts";

const TEXTS = texts({
  title: ["员工字段", "Employee fields"],
  total: ["共 {{count}} 个字段", "{{count}} fields"],
  failed: ["字段未能加载", "The fields could not be loaded"],
  search: ["字段名称", "Name of the field"],
  label: ["字段名称", "Name"],
  labelHint: [
    "用于表单、列表、导入导出的表头和高级筛选",
    "Names the field in the form, the list, files and filters",
  ],
  type: ["类型", "Type"],
  typeHint: ["保存后不能修改", "Cannot be changed later"],
  text: ["文本", "Text"],
  number: ["数字", "Number"],
  date: ["日期", "Date"],
  dict: ["字典", "Dictionary"],
  dictType: ["字典", "Dictionary"],
  required: ["必填", "Required"],
  sort: ["排序", "Order"],
  yes: ["是", "Yes"],
  no: ["否", "No"],
  create: ["新增字段", "New field"],
  edit: ["修改字段", "Edit field"],
});

const MANY = 200;
const SORT_MAX = 9999;
const typeOf = (value: string) => OWN_FIELD_TYPES.find((type) => type === value) ?? "text";

export default function EmployeeFieldsPage() {
  const text = useTexts(TEXTS);
  const { rest } = useCore().commands;
  const dicts = useRead({ call: "dict.types", query: { limit: MANY } }).answer;
  const dictOptions =
    dicts.state === "ready"
      ? dicts.data.records.map(({ dictType, dictName }) => ({
          value: dictType,
          label: `${dictName}（${dictType}）`,
        }))
      : [];
  const nameOfDict = (dictType: string): string =>
    dictOptions.find(({ value }) => value === dictType)?.label ?? dictType;
  const fieldsOf = (isNew: boolean) =>
    formFields([
      { key: "label", label: text("label"), required: true, max: 32, hint: text("labelHint") },
      {
        key: "type",
        label: text("type"),
        input: "select",
        required: true,
        disabled: !isNew,
        hint: text("typeHint"),
        options: OWN_FIELD_TYPES.map((value) => ({ value, label: text(value) })),
      },
      {
        key: "dictType",
        label: text("dictType"),
        input: "select",
        search: true,
        required: true,
        disabled: !isNew,
        options: dictOptions,
        shownWhen: ({ type }) => type === "dict",
      },
      { key: "required", label: text("required"), input: "switch" },
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
      call="ownFields.list"
      title={text("title")}
      total={(count) => text("total", { count })}
      search={text("search")}
      failed={text("failed")}
      nameOf={({ label }) => label}
      columns={[
        { title: text("label"), sort: "label", render: ({ label }) => label },
        {
          title: text("type"),
          sort: "type",
          render: ({ type }) => text(type),
          width: "minmax(96px, 0.5fr)",
        },
        {
          key: "dictType",
          title: text("dictType"),
          render: ({ dictType }) => (dictType === null ? null : nameOfDict(dictType)),
        },
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
        calls: { create: "ownFields.create", edit: "ownFields.update" },
        createTitle: text("create"),
        editTitle: text("edit"),
        fields: (row) => fieldsOf(row === null),
        record: (row) => row,
        values: (row) => valuesOf(fieldsOf(row === null), row ?? { type: "text", sort: 0 }),
        save: (row, values, changed, version) => {
          const { label, type, dictType = null, required } = values;
          if (row === null) {
            const body = { label, type: typeOf(type), dictType, required, sort: values.sort ?? 0 };
            return rest.call({ call: "ownFields.create", body });
          }
          const { label: renamed, required: needed, sort } = changed;
          const body = {
            id: row.id,
            version,
            ...(renamed === undefined ? {} : { label: renamed }),
            ...(needed === undefined ? {} : { required: needed }),
            ...(typeof sort === "number" ? { sort } : {}),
          };
          return rest.call({ call: "ownFields.update", body });
        },
      }}
      remove={{
        call: "ownFields.delete",
        run: (rows) =>
          Promise.all(
            rows.map(({ id }) => rest.call({ call: "ownFields.delete", params: { id } })),
          ),
      }}
    />
  );
}
