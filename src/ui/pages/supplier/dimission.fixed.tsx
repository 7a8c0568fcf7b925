/** Those who have left the company. */
import { useTranslation } from "react-i18next";
import { ListPage } from "../../components/ListPage.tsx";
import { EMPLOYEE_TEXTS } from "../../features/employees/texts.ts";
import { useTexts } from "../../i18n/texts.ts";

export default function DimissionPage() {
  const { t } = useTranslation();
  const text = useTexts(EMPLOYEE_TEXTS);
  return (
    <ListPage
      call="employees.dimissionList"
      title={text("formerTitle")}
      total={(count) => text("total", { count })}
      search={text("search")}
      exports={{ name: text("formerTitle") }}
      failed={text("formerFailed")}
      columns={[
        { title: t("employees.fields.name"), sort: "name", render: ({ name }) => name },
        {
          title: t("employees.fields.employeeNo"),
          sort: "employeeNo",
          render: ({ employeeNo }) => employeeNo,
        },
        {
          title: t("employees.fields.phone"),
          sort: "phone",
          render: ({ phone }) => phone,
          className: "tnum ellipsis",
        },
        {
          title: t("employees.fields.department"),
          sort: "department",
          render: ({ department }) => department,
        },
        {
          title: t("employees.fields.position"),
          sort: "position",
          render: ({ position }) => position,
        },
        {
          title: text("leaveDate"),
          sort: "dimissionDate",
          render: ({ dimissionDate }) => dimissionDate,
        },
        {
          key: "leaveReason",
          title: text("leaveReason"),
          render: ({ dimissionReason }) => dimissionReason,
        },
      ]}
    />
  );
}
