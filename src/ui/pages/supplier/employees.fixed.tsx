/** Employees of the company in one list that scrolls through all of them. */
import { Button } from "@arco-design/web-react";
import { IconImport } from "@arco-design/web-react/icon";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { Avatar } from "../../components/Avatar.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";

const TEXTS = texts({
  title: ["员工列表", "Employees"],
  total: ["共 {{count}} 人", "{{count}} people"],
  search: ["搜索姓名、工号、电话、部门", "Name, number, phone, department"],
  failed: ["员工列表未能加载", "The employees could not be loaded"],
  account: ["账号", "Account"],
});

export default function EmployeesPage() {
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const navigate = useNavigate();
  const { byKey } = useSlice("imports");
  const { permissions } = useSlice("session");
  const mayImport = ["*:*:*", "supplier:employee:edit"].some((one) => permissions.includes(one));
  return (
    <ListPage
      call="employees.list"
      title={text("title")}
      total={(count) => text("total", { count })}
      search={text("search")}
      failed={text("failed")}
      // A finished import changes the list.
      refresh={Object.values(byKey).filter((job) => job.state === "done").length}
      columns={[
        {
          title: t("employees.fields.name"),
          render: ({ name }) => (
            <>
              <Avatar name={name} src="" size={28} />
              <span className="ellipsis">{name}</span>
            </>
          ),
          pending: null,
          className: "list-page-person",
          width: "minmax(140px, 1.4fr)",
        },
        {
          title: t("employees.fields.phone"),
          render: ({ phone }) => phone,
          pending: "…",
          className: "tnum ellipsis",
        },
        { title: t("employees.fields.department"), render: ({ department }) => department },
        { title: t("employees.fields.position"), render: ({ position }) => position },
        { title: text("account"), render: ({ userName }) => userName },
      ]}
      actions={
        mayImport && (
          <Button
            type="primary"
            icon={<IconImport />}
            onClick={() => void navigate("/DataBatchImport2/index")}
          >
            {t("imports.title")}
          </Button>
        )
      }
    />
  );
}
