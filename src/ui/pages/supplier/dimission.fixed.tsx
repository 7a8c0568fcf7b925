/** Those who have left the company. */
import { useTranslation } from "react-i18next";
import { ListPage } from "../../components/ListPage.tsx";
import { LEAVE_TEXTS } from "../../features/employees/leave-texts.ts";
import { EMPLOYEE_TEXTS } from "../../features/employees/texts.ts";
import { useFieldsInUse } from "../../features/fields/useFieldsInUse.ts";
import { useTexts } from "../../i18n/texts.ts";

export default function DimissionPage() {
  const { t } = useTranslation();
  const text = useTexts(EMPLOYEE_TEXTS);
  const more = useTexts(LEAVE_TEXTS);
  const inUse = useFieldsInUse("employee");
  return (
    <ListPage
      call="employees.dimissionList"
      title={more("formerTitle")}
      total={(count) => text("total", { count })}
      search={text("search")}
      exports={{ name: more("formerTitle") }}
      failed={more("formerFailed")}
      arranged={(columns, keyOf) => columns.filter((column) => inUse.uses(keyOf(column)))}
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
          title: more("leaveDate"),
          sort: "dimissionDate",
          render: ({ dimissionDate }) => dimissionDate,
        },
        {
          key: "leaveReason",
          title: more("leaveReason"),
          render: ({ dimissionReason }) => dimissionReason,
        },
      ]}
    />
  );
}
