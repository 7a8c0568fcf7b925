/** The entries of one dictionary (docs/session.md#static-routes). A company changes its own entries; the platform's are read. */
import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router-dom";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { DictTag, LIST_CLASSES } from "../../components/DictTag.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import type { FormField } from "../../components/form/fields.ts";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useGivenTitle } from "../../state/page-titles.ts";
import { useCore } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { PlainPage } from "../fallback/PlainPage.tsx";

const SORT_MAX = 1_000_000;
const TEXTS = texts({
  title: ["字典数据 · {{name}}", "Dictionary data · {{name}}"],
  total: ["共 {{count}} 条", "{{count}} entries"],
  failed: ["字典数据未能加载", "The entries could not be loaded"],
  label: ["字典标签", "Label"],
  value: ["字典键值", "Value"],
  sort: ["排序", "Order"],
  sortHint: ["0 至 1000000 的整数", "A whole number from 0 to 1000000"],
  status: ["状态", "Status"],
  used: ["正常", "In use"],
  off: ["停用", "Off"],
  kind: ["标签样式", "Tag style"],
  cssClass: ["样式属性", "CSS class"],
  remark: ["备注", "Remark"],
  owner: ["所属", "Owner"],
  platform: ["平台", "Platform"],
  company: ["本企业", "Company"],
  create: ["新增字典数据", "New entry"],
  edit: ["修改字典数据", "Edit entry"],
});

export function DictDataPage() {
  const { t } = useTranslation();
  const { dictId = "" } = useParams();
  const { answer, again } = useRead({ call: "dict.type", params: { id: dictId } });
  useGivenTitle(answer.state === "ready" ? answer.data.dictName : null);
  if (answer.state === "ready") return <Entries type={answer.data} />;
  if (answer.state === "loading") {
    return (
      <div className="panel list-page">
        <div className="list-page-none" role="status">
          {t("common.loading")}
        </div>
      </div>
    );
  }
  if (answer.error?.code === "request.not-found") {
    return (
      <PlainPage inner icon="lost" title={t("pages.notFound")} hint={t("pages.notFoundHint")} />
    );
  }
  if (answer.error?.code === "auth.forbidden") {
    return (
      <PlainPage inner icon="lock" title={t("pages.forbidden")} hint={t("pages.forbiddenHint")} />
    );
  }
  return <Failed onRetry={again} />;
}

function Failed({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  return (
    <PlainPage inner icon="broken" title={text("failed")} hint="">
      <Button type="primary" onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </PlainPage>
  );
}

function Entries({ type }: { readonly type: PageCallData<"dict.type"> }) {
  const text = useTexts(TEXTS);
  const { rest } = useCore().commands;
  const { id: dictId, dictType, dictName } = type;
  const states = [
    { value: "0", label: text("used") },
    { value: "1", label: text("off") },
  ];
  const isSort = (value: string): boolean => /^\d+$/.test(value) && Number(value) <= SORT_MAX;
  const fields: readonly FormField[] = [
    { key: "dictLabel", label: text("label"), required: true, max: 100 },
    { key: "dictValue", label: text("value"), required: true, max: 100 },
    {
      key: "dictSort",
      label: text("sort"),
      input: "number",
      required: true,
      check: (value) => (isSort(value) ? null : text("sortHint")),
    },
    {
      key: "listClass",
      label: text("kind"),
      input: "select",
      required: true,
      options: LIST_CLASSES.map((value) => ({ value, label: value })),
    },
    { key: "cssClass", label: text("cssClass"), max: 100 },
    { key: "status", label: text("status"), input: "select", required: true, options: states },
    { key: "remark", label: text("remark"), input: "area", max: 500 },
  ];
  return (
    <ListPage
      call="dict.list"
      title={text("title", { name: dictName })}
      total={(count) => text("total", { count })}
      failed={text("failed")}
      filters={{ dictId }}
      filterBar={[
        { key: "dictLabel", label: text("label") },
        { key: "status", label: text("status"), options: states },
      ]}
      nameOf={({ dictLabel }) => dictLabel}
      columns={[
        {
          title: text("label"),
          sort: "dictLabel",
          render: (row) => <DictTag {...row} label={row.dictLabel} />,
        },
        { title: text("value"), sort: "dictValue", render: ({ dictValue }) => dictValue },
        {
          title: text("sort"),
          sort: "dictSort",
          render: ({ dictSort }) => dictSort,
          className: "tnum",
          width: "minmax(72px, 0.4fr)",
        },
        {
          title: text("status"),
          sort: "status",
          render: ({ status }) => (
            <DictTag
              label={text(status === "0" ? "used" : "off")}
              listClass={status === "0" ? "success" : "danger"}
            />
          ),
          width: "minmax(88px, 0.5fr)",
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
      ]}
      form={{
        calls: { create: "dict.create", edit: "dict.update" },
        createTitle: text("create"),
        editTitle: text("edit"),
        fields: () => fields,
        record: (row) => row,
        values: (row) => ({
          dictLabel: row?.dictLabel ?? "",
          dictValue: row?.dictValue ?? "",
          dictSort: String(row?.dictSort ?? 0),
          listClass: row?.listClass ?? "default",
          cssClass: row?.cssClass ?? "",
          status: row?.status ?? "0",
          remark: row?.remark ?? "",
        }),
        when: ({ supplierId }) => supplierId !== null,
        save: (row, values, changed, version) => {
          const { dictLabel = "", dictValue = "", cssClass = "", remark = "" } = values;
          const { listClass = "default" } = values;
          const status = values["status"] === "1" ? "1" : "0";
          const dictSort = Number(values["dictSort"]);
          return row === null
            ? rest.call({
                call: "dict.create",
                body: {
                  dictType,
                  dictLabel,
                  dictValue,
                  dictSort,
                  listClass,
                  cssClass,
                  status,
                  remark,
                },
              })
            : rest.call({
                call: "dict.update",
                body: {
                  ...changed,
                  id: row.id,
                  version,
                  dictSort,
                  status,
                },
              });
        },
      }}
      remove={{
        call: "dict.delete",
        many: true,
        when: ({ supplierId }) => supplierId !== null,
        run: (rows) =>
          rest.call({ call: "dict.delete", params: { id: rows.map(({ id }) => id).join(",") } }),
      }}
    />
  );
}
