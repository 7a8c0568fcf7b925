/** Those who have left the company, and their way back. */
import { lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { LEAVE_TEXTS } from "../../features/employees/leave-texts.ts";
import { EMPLOYEE_TEXTS } from "../../features/employees/texts.ts";
import { useFieldsInUse } from "../../features/fields/useFieldsInUse.ts";
import { useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { Part } from "../../components/Part.tsx";

const EmployeeDialog = lazy(() =>
  retrying(() => import("../../features/employees/EmployeeDialog.tsx")).then((m) => ({
    default: m.EmployeeDialog,
  })),
);
const ReinstateDialog = lazy(() =>
  retrying(() => import("../../features/employees/ReinstateDialog.tsx")).then((m) => ({
    default: m.ReinstateDialog,
  })),
);

export default function DimissionPage() {
  const { t } = useTranslation();
  const text = useTexts(EMPLOYEE_TEXTS);
  const more = useTexts(LEAVE_TEXTS);
  const inUse = useFieldsInUse("employee");
  const { rest } = useCore().commands;
  const [shown, setShown] = useState<string | null>(null);
  const [back, setBack] = useState<PageCallData<"employees.get"> | null>(null);
  const get = (id: string) => rest.call({ call: "employees.get", params: { id } });
  return (
    <>
      <ListPage
        call="employees.dimissionList"
        title={more("formerTitle")}
        total={(count) => text("total", { count })}
        search={text("search")}
        exports={{ name: more("formerTitle") }}
        failed={more("formerFailed")}
        empty={more("formerEmpty")}
        arranged={(columns, keyOf) => columns.filter((column) => inUse.uses(keyOf(column)))}
        columns={[
          {
            title: t("employees.fields.name"),
            sort: "name",
            render: ({ id, name }) => (
              <button
                type="button"
                className="list-page-link ellipsis"
                data-call="employees.get"
                onClick={() => setShown(id)}
              >
                {name}
              </button>
            ),
            cell: ({ name }) => name,
            pending: null,
            verbatim: true,
          },
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
        nameOf={({ name }) => name}
        rowActions={[
          {
            label: more("reinstate"),
            call: "employees.reinstate",
            onClick: ({ id }) => void get(id).then(setBack, showError),
          },
        ]}
      />
      <Part onFailed={() => setShown(null)}>
        {shown !== null && (
          <EmployeeDialog id={shown} onClose={() => setShown(null)} onChanged={() => undefined} />
        )}
      </Part>
      <Part onFailed={() => setBack(null)}>
        {back !== null && <ReinstateDialog employee={back} onClose={() => setBack(null)} />}
      </Part>
    </>
  );
}
