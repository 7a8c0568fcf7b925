/** Dictionaries: types of the platform, which every company reads, and of the company. Each leads to the page of its entries. */
import { Link, useNavigate } from "react-router-dom";
import { formatDate } from "../../../shared/domain/format.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";

const TEXTS = texts({
  title: ["字典管理", "Dictionaries"],
  total: ["共 {{count}} 个字典", "{{count}} {count|dictionary|dictionaries}"],
  failed: ["字典未能加载", "The dictionaries could not be loaded"],
  empty: ["字典是表单中可以选择的内容。", "A dictionary holds what forms offer as choices."],
  name: ["字典名称", "Name"],
  type: ["字典类型", "Type"],
  typeHint: [
    "小写字母开头，可含小写字母、数字和下划线",
    "Lower-case letters, digits and _, beginning with a letter",
  ],
  entries: ["数据条数", "Entries"],
  owner: ["所属", "Owner"],
  platform: ["平台", "Platform"],
  company: ["本企业", "Company"],
  remark: ["备注", "Remark"],
  created: ["创建时间", "Created"],
  create: ["新增字典", "New dictionary"],
  edit: ["修改字典", "Edit dictionary"],
  data: ["数据", "Data"],
});

const dataPath = (id: string): string => `/dict/type/data/${id}`;

export default function DictPage() {
  const text = useTexts(TEXTS);
  const navigate = useNavigate();
  const { rest } = useCore().commands;
  return (
    <ListPage
      call="dict.types"
      title={text("title")}
      total={(count) => text("total", { count })}
      failed={text("failed")}
      empty={text("empty")}
      filterBar={[
        { key: "dictName", label: text("name") },
        { key: "dictType", label: text("type") },
      ]}
      nameOf={({ dictName }) => dictName}
      columns={[
        { title: text("name"), sort: "dictName", render: ({ dictName }) => dictName },
        {
          title: text("type"),
          sort: "dictType",
          verbatim: true,
          render: ({ id, dictType }) => (
            <Link className="list-page-link" to={dataPath(id)}>
              {dictType}
            </Link>
          ),
        },
        {
          title: text("entries"),
          sort: "entries",
          render: ({ entries }) => entries,
          className: "tnum",
          width: "minmax(88px, 0.4fr)",
        },
        {
          key: "owner",
          title: text("owner"),
          render: ({ supplierId }) => text(supplierId === null ? "platform" : "company"),
          width: "minmax(96px, 0.5fr)",
        },
        {
          key: "remark",
          title: text("remark"),
          render: ({ remark }) => (remark === "" ? null : remark),
        },
        {
          title: text("created"),
          sort: "createTime",
          render: ({ createTime }) => formatDate(Date.parse(createTime)),
          className: "tnum ellipsis",
          width: "minmax(168px, 1fr)",
        },
      ]}
      rowActions={[
        {
          label: text("data"),
          call: "dict.list",
          onClick: ({ id }) => void navigate(dataPath(id)),
        },
      ]}
      form={{
        calls: { create: "dict.typeCreate", edit: "dict.typeUpdate" },
        createTitle: text("create"),
        editTitle: text("edit"),
        fields: (row) => [
          { key: "dictName", label: text("name"), required: true, max: 100 },
          {
            key: "dictType",
            label: text("type"),
            required: true,
            max: 64,
            // entries refer to it
            disabled: row !== null,
            hint: text("typeHint"),
            check: (type) => (/^[a-z][a-z0-9_]*$/.test(type) ? null : text("typeHint")),
          },
          { key: "remark", label: text("remark"), input: "area", max: 500 },
        ],
        record: (row) => row,
        values: (row) => ({
          dictName: row?.dictName ?? "",
          dictType: row?.dictType ?? "",
          remark: row?.remark ?? "",
        }),
        when: ({ supplierId }) => supplierId !== null,
        save: (row, { dictName = "", dictType = "", remark = "" }, changed, version) =>
          row === null
            ? rest.call({ call: "dict.typeCreate", body: { dictName, dictType, remark } })
            : rest.call({ call: "dict.typeUpdate", body: { id: row.id, version, ...changed } }),
      }}
      remove={{
        call: "dict.typeDelete",
        many: true,
        when: ({ supplierId }) => supplierId !== null,
        run: (rows) =>
          rest.call({
            call: "dict.typeDelete",
            params: { id: rows.map(({ id }) => id).join(",") },
          }),
      }}
    />
  );
}
