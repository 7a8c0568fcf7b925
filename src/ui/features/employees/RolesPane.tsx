/** The roles of an employee, given and taken one by one. The server's refusal stands above them in words. */
import { Checkbox } from "@arco-design/web-react";
import "@arco-design/web-react/es/Checkbox/style/css.js";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ReadNote } from "../../components/ReadNote.tsx";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { useCore } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { DIALOG_TEXTS } from "./dialog-texts.ts";

export function RolesPane({ accountId }: { readonly accountId: string }) {
  const { t } = useTranslation();
  const text = useTexts(DIALOG_TEXTS);
  const may = useMay();
  const { rest } = useCore().commands;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { answer, again } = useRead({ call: "roles.held", params: { id: accountId } });
  if (answer.state !== "ready") {
    return (
      <ReadNote
        answer={answer}
        failed={text("rolesFailed")}
        onRetry={again}
        className="employee-history-none"
      />
    );
  }
  const change = (roleId: string, give: boolean): void => {
    setBusy(true);
    setFailure(null);
    const body = { roleId, accountIds: [accountId] };
    rest
      .call({ call: give ? "roles.assign" : "roles.take", body })
      .catch((error: unknown) => setFailure(errorText(error)))
      .finally(() => setBusy(false));
  };
  const mayEdit = may("roles.assign");
  return (
    <div className="employee-roles">
      {failure !== null && (
        <p className="form-failure" role="alert">
          {failure}
        </p>
      )}
      {mayEdit && <p>{text("rolesHint")}</p>}
      {answer.data.length === 0 && <p>{t("common.none")}</p>}
      <ScrollBox className="employee-scroll">
        <ul aria-label={text("roles")}>
          {answer.data.map(({ id, name, remark, held, mine }) => (
            <li key={id}>
              <Checkbox
                checked={held}
                disabled={busy || !mayEdit || !mine}
                onChange={(give) => change(id, give)}
              >
                {name}
              </Checkbox>
              <span className="employee-role-note">
                {mayEdit && !mine ? text("roleNotMine") : remark}
              </span>
            </li>
          ))}
        </ul>
      </ScrollBox>
    </div>
  );
}
