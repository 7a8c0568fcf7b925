/** The entries of one dictionary (docs/session.md#static-routes). A company changes its own entries; the platform's are read. */
import { useTranslation } from "react-i18next";
import { useParams } from "react-router-dom";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { CSS_CLASSES, LIST_CLASSES } from "../../../shared/domain/dict-classes.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { ReadNote } from "../../components/ReadNote.tsx";
import { formFields, valuesOf } from "../../components/form/fields.ts";
import type { ControlProps } from "../../components/form/kinds.ts";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useGivenTitle } from "../../state/page-titles.ts";
import { useCore } from "../../state/services.ts";
import { useWorkbook } from "../../state/useWorkbook.ts";
import { useRead } from "../../state/useRead.ts";
import { PlainPage } from "../fallback/PlainPage.tsx";
import { TagClasses } from "./TagClasses.tsx";

const SORT_MAX = 1_000_000;
const TEXTS = texts({
  title: ["字典数据 · {{name}}", "Dictionary data · {{name}}"],
  total: ["共 {{count}} 条", "{{count}} {count|entry|entries}"],
  failed: ["字典数据未能加载", "The entries could not be loaded"],
  empty: ["这个字典还没有可以选择的内容。", "This dictionary offers no choices yet."],
  label: ["字典标签", "Label"],
  value: ["字典键值", "Value"],
  sort: ["排序", "Order"],
  status: ["状态", "Status"],
  used: ["正常", "In use"],
  off: ["停用", "Off"],
  kind: ["标签样式", "Tag style"],
  cssClass: ["样式属性", "CSS class"],
  cssClassHint: [
    "样式类名，以空格分隔；可用 bold、outline、round、strike",
    "Names of classes with spaces between them, such as bold, outline, round, strike",
  ],
  default: ["默认", "Default"],
  primary: ["主要", "Primary"],
  success: ["成功", "Success"],
  info: ["信息", "Info"],
  warning: ["警告", "Warning"],
  danger: ["危险", "Danger"],
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
  const text = useTexts(TEXTS);
  const { answer, again } = useRead({ call: "dict.type", params: { id: dictId } });
  useGivenTitle(answer.state === "ready" ? answer.data.dictName : null);
  if (answer.state === "ready") return <Entries type={answer.data} />;
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
  return (
    <div className="panel list-page">
      <ReadNote
        className="list-page-none"
        answer={answer}
        failed={text("failed")}
        onRetry={again}
      />
    </div>
  );
}

/** Whether an entry is in use is a switch of the form. */
const inForm = (entry: Readonly<Record<string, unknown>>) => ({
  ...entry,
  used: entry["status"] === "0",
});
const statusOf = (used: boolean): "0" | "1" => (used ? "0" : "1");
const NEW = { dictSort: 0, listClass: "default", used: true };

const tagClasses = (control: ControlProps) => <TagClasses {...control} />;

function Entries({ type }: { readonly type: PageCallData<"dict.type"> }) {
  const text = useTexts(TEXTS);
  const { rest } = useCore().commands;
  const saveWorkbook = useWorkbook();
  const { id: dictId, dictType, dictName } = type;
  const states = [
    { value: "0", label: text("used") },
    { value: "1", label: text("off") },
  ];
  const fields = formFields([
    { key: "dictLabel", label: text("label"), required: true, max: 100 },
    { key: "dictValue", label: text("value"), required: true, max: 100 },
    {
      key: "dictSort",
      label: text("sort"),
      input: "number",
      required: true,
      min: 0,
      max: SORT_MAX,
      step: 1,
    },
    {
      key: "listClass",
      label: text("kind"),
      input: "select",
      required: true,
      options: LIST_CLASSES.map((value) => ({ value, label: `${text(value)} (${value})` })),
    },
    {
      key: "cssClass",
      label: text("cssClass"),
      hint: text("cssClassHint"),
      check: (classes) => (CSS_CLASSES.test(classes.trim()) ? null : text("cssClassHint")),
      control: tagClasses,
    },
    { key: "used", label: text("used"), input: "switch" },
    { key: "remark", label: text("remark"), input: "area", max: 500 },
  ]);
  return (
    <ListPage
      call="dict.list"
      title={text("title", { name: dictName })}
      total={(count) => text("total", { count })}
      failed={text("failed")}
      empty={text("empty")}
      exports={{
        name: dictName,
        call: "dict.export",
        file: (query) => saveWorkbook(dictName, { call: "dict.export", query }),
      }}
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
          width: "minmax(88px, 0.4fr)",
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
        read: inForm,
        values: (_, record) => valuesOf(fields, record === null ? NEW : inForm(record)),
        when: ({ supplierId }) => supplierId !== null,
        save: (row, { used, dictSort, ...values }, changed, version) => {
          if (row === null) {
            const body = { ...values, dictType, dictSort: dictSort ?? 0, status: statusOf(used) };
            return rest.call({ call: "dict.create", body });
          }
          const { used: usedNow, dictSort: sort, ...texts } = changed;
          const body = {
            id: row.id,
            version,
            ...texts,
            ...(usedNow === undefined ? {} : { status: statusOf(usedNow) }),
            ...(typeof sort === "number" ? { dictSort: sort } : {}),
          };
          return rest.call({ call: "dict.update", body });
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
