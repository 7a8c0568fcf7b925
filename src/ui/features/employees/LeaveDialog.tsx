/** Ends the employment of a person, after a question that names what follows. */
import { useState } from "react";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import { isDay } from "../../../shared/domain/validate.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { tell } from "../../state/tell.ts";
import { EMPLOYEE_TEXTS } from "./texts.ts";

const REASON_MAX = 200;

export function LeaveDialog(props: {
  readonly employee: Pick<PageCallData<"employees.get">, "id" | "name" | "hireDate">;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { id, name, hireDate } = props.employee;
  const text = useTexts(EMPLOYEE_TEXTS);
  const { rest } = useCore().commands;
  const [today] = useState(() => formatDate(Date.now(), "{y}-{m}-{d}"));
  const check = (day: string): string | null => {
    if (!isDay(day)) return text("date");
    if (day > today) return text("future");
    return hireDate !== null && day < hireDate ? text("early") : null;
  };
  return (
    <FormDialog
      title={text("leaveTitle", { name })}
      intro={<p>{text("leaveHint")}</p>}
      okText={text("leave")}
      fields={[
        { key: "dimissionDate", label: text("leaveDate"), input: "date", required: true, check },
        { key: "reason", label: text("leaveReason"), input: "area", max: REASON_MAX },
      ]}
      values={{ dimissionDate: today, reason: "" }}
      save={({ dimissionDate = "", reason = "" }) =>
        rest.call({ call: "employees.dimission", body: { id, dimissionDate, reason } })
      }
      onClose={props.onClose}
      onSaved={() => {
        props.onSaved();
        tell("success", text("left"));
      }}
    />
  );
}
