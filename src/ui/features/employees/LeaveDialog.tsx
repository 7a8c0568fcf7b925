/** Ends the employment of a person, after a question that names what follows. */
import { useState } from "react";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { serverNow, useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { leaveFields } from "./leave.ts";
import { LEAVE_TEXTS } from "./leave-texts.ts";
import { EMPLOYEE_TEXTS } from "./texts.ts";

export function LeaveDialog(props: {
  readonly employee: Pick<PageCallData<"employees.get">, "id" | "name" | "hireDate">;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { id, name, hireDate } = props.employee;
  const text = useTexts(LEAVE_TEXTS);
  const list = useTexts(EMPLOYEE_TEXTS);
  const core = useCore();
  const { rest } = core.commands;
  const [{ fields, values }] = useState(() => leaveFields(text, serverNow(core), hireDate));
  return (
    <FormDialog
      title={text("leaveTitle", { name })}
      intro={<p>{text("leaveHint")}</p>}
      okText={list("leave")}
      fields={fields}
      values={values}
      save={({ dimissionDate = "", reason = "" }) =>
        rest.call({ call: "employees.dimission", body: { id, dimissionDate, reason } })
      }
      onClose={props.onClose}
      onSaved={() => {
        props.onSaved();
        showMessage("success", text("left"));
      }}
    />
  );
}
