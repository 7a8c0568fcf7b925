/** Settings of the platform, which every company reads, and of the company, which stand before them. */
import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { ListPage } from "../../components/ListPage.tsx";
import { formFields } from "../../components/form/kinds.ts";
import { texts, useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useMay } from "../../state/may.ts";
import { useCore } from "../../state/services.ts";
import { useWorkbook } from "../../state/useWorkbook.ts";
import { showMessage, showError } from "../../state/show-message.ts";

const TEXTS = texts({
  title: ["参数配置", "Settings"],
  total: ["共 {{count}} 项", "{{count}} {count|setting|settings}"],
  failed: ["参数未能加载", "The settings could not be loaded"],
  empty: [
    "参数改变平台在本企业中的行为。",
    "Settings change how the platform works in this company.",
  ],
  name: ["参数名称", "Name"],
  key: ["参数键名", "Key"],
  keyHint: ["字母、数字、点、冒号、下划线和短横线", "Letters, digits, dots, colons, _ and -"],
  value: ["参数键值", "Value"],
  builtIn: ["系统内置", "Built in"],
  owner: ["所属", "Owner"],
  platform: ["平台", "Platform"],
  company: ["本企业", "Company"],
  remark: ["备注", "Remark"],
  yes: ["是", "Yes"],
  no: ["否", "No"],
  create: ["新增参数", "New setting"],
  edit: ["修改参数", "Edit setting"],
  refresh: ["刷新缓存", "Refresh cache"],
  refreshAsk: [
    "所有服务进程将重新读取本企业的参数，确定要刷新吗？",
    "Every server process will read the company's settings again. Go on?",
  ],
  refreshed: ["缓存已刷新", "Cache refreshed"],
});

export default function ConfigPage() {
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const may = useMay();
  const { rest } = useCore().commands;
  const saveWorkbook = useWorkbook();
  const yesNo = [
    { value: "Y", label: text("yes") },
    { value: "N", label: text("no") },
  ];
  const fields = formFields([
    { key: "configName", label: text("name"), required: true, max: 100 },
    {
      key: "configKey",
      label: text("key"),
      required: true,
      max: 100,
      hint: text("keyHint"),
      check: (key) => (/^[\w.:-]+$/.test(key) ? null : text("keyHint")),
    },
    { key: "configValue", label: text("value"), input: "area", required: true, max: 4000 },
    { key: "remark", label: text("remark"), input: "area", max: 500 },
  ]);
  const refreshCache = (): void =>
    ask({
      title: text("refresh"),
      content: text("refreshAsk"),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () =>
        rest
          .call({ call: "config.refreshCache" })
          .then(() => showMessage("success", text("refreshed")), showError),
    });
  return (
    <ListPage
      call="config.list"
      title={text("title")}
      total={(count) => text("total", { count })}
      exports={{
        name: text("title"),
        call: "config.export",
        file: (query) => saveWorkbook(text("title"), { call: "config.export", query }),
      }}
      failed={text("failed")}
      empty={text("empty")}
      filterBar={[
        { key: "configName", label: text("name") },
        { key: "configKey", label: text("key") },
        { key: "configType", label: text("builtIn"), options: yesNo },
      ]}
      nameOf={({ configName }) => configName}
      columns={[
        { title: text("name"), sort: "configName", render: ({ configName }) => configName },
        {
          title: text("key"),
          verbatim: true,
          sort: "configKey",
          render: ({ configKey }) => configKey,
        },
        { key: "value", title: text("value"), render: ({ configValue }) => configValue },
        {
          title: text("builtIn"),
          sort: "configType",
          render: ({ configType }) => text(configType === "Y" ? "yes" : "no"),
          width: "minmax(96px, 0.5fr)",
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
      actions={
        may("config.refreshCache") && (
          <Button data-call="config.refreshCache" onClick={refreshCache}>
            {text("refresh")}
          </Button>
        )
      }
      form={{
        calls: { create: "config.create", edit: "config.update" },
        createTitle: text("create"),
        editTitle: text("edit"),
        fields: () => fields,
        record: (row) => row,
        values: (row) => ({
          configName: row?.configName ?? "",
          configKey: row?.configKey ?? "",
          configValue: row?.configValue ?? "",
          remark: row?.remark ?? "",
        }),
        when: ({ supplierId }) => supplierId !== null,
        save: (row, values, changed, version) =>
          row === null
            ? rest.call({ call: "config.create", body: values })
            : rest.call({ call: "config.update", body: { id: row.id, version, ...changed } }),
      }}
      remove={{
        call: "config.delete",
        many: true,
        when: ({ supplierId, configType }) => supplierId !== null && configType === "N",
        run: (rows) =>
          rest.call({ call: "config.delete", params: { id: rows.map(({ id }) => id).join(",") } }),
      }}
    />
  );
}
