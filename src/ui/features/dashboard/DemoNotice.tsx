/** Says that the company holds demo data, and removes it after its name was typed (docs/server.md#demo-data). */
import { Button } from "@arco-design/web-react";
import { lazy, useState } from "react";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore, useSlice } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { useRead } from "../../state/useRead.ts";
import type { FormDialog as FormDialogType } from "../../components/form/FormDialog.tsx";
import { Part } from "../../components/Part.tsx";
import "./figures.css";

// `lazy` forgets the type parameters of a component.
const FormDialog = lazy(() =>
  retrying(() => import("../../components/form/FormDialog.tsx")).then((m) => ({
    default: m.FormDialog,
  })),
) as unknown as typeof FormDialogType;

const TEXTS = texts({
  notice: [
    "本企业含演示数据（{{count}} 名员工及其部门、字典、通话和消息）。",
    "This company holds demo data: {{count}} employees, with departments, dictionaries, calls and messages.",
  ],
  remove: ["清除演示数据", "Remove the demo data"],
  hint: [
    "演示数据清除后不能恢复。已绑定账号的员工和仍在使用的部门会保留。请输入企业名称“{{name}}”确认。",
    "What is removed cannot be brought back. Employees with an account and departments in use stay. Type the company's name, “{{name}}”, to continue.",
  ],
  name: ["企业名称", "Company name"],
  differs: ["与企业名称不一致", "This is not the company's name"],
  removed: ["演示数据已清除", "The demo data was removed"],
});

export function DemoNotice() {
  const text = useTexts(TEXTS);
  const may = useMay()("demo.remove");
  const { supplierName } = useSlice("session");
  const { rest } = useCore().commands;
  const [asks, setAsks] = useState(false);
  const { answer } = useRead(may ? { call: "demo.state" } : null);
  const rows = answer.state === "ready" ? answer.data.rows : 0;
  if ((!may || rows === 0) && !asks) return null;
  return (
    <section className="panel demo-notice" aria-label={text("remove")}>
      <span>{text("notice", { count: answer.state === "ready" ? answer.data.employees : 0 })}</span>
      <Button size="small" onClick={() => setAsks(true)}>
        {text("remove")}
      </Button>
      {asks && (
        <Part onFailed={() => setAsks(false)}>
          <FormDialog
            title={text("remove")}
            intro={<p>{text("hint", { name: supplierName })}</p>}
            okText={text("remove")}
            fields={[
              {
                key: "name",
                label: text("name"),
                required: true,
                max: 200,
                check: (name) => (name === supplierName ? null : text("differs")),
              },
            ]}
            values={{ name: "" }}
            save={({ name = "" }) => rest.call({ call: "demo.remove", body: { name } })}
            onClose={() => setAsks(false)}
            onSaved={() => showMessage("success", text("removed"))}
          />
        </Part>
      )}
    </section>
  );
}
