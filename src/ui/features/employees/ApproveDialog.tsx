/** Approves somebody who applies for a membership: as which employee, and with which roles. */
import { FormDialog } from "../../components/form/FormDialog.tsx";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { useRead } from "../../state/useRead.ts";
import { APPLY_TEXTS } from "./apply-texts.ts";
import { useRolesToGive } from "./useRolesToGive.ts";

/** Employees of one name who are offered. */
const MOST = 50;

/** The choice of no employee: an empty value would show as if nothing was chosen. */
const AUTOMATIC = "automatic";

export function ApproveDialog({
  apply,
  onClose,
}: {
  readonly apply: Row<"employees.applies">;
  readonly onClose: () => void;
}) {
  const text = useTexts(APPLY_TEXTS);
  const { rest } = useCore().commands;
  const given = useRolesToGive();
  const { answer: named } = useRead({
    call: "employees.list",
    query: { keyword: apply.name, limit: MOST },
  });
  const { answer: numbered } = useRead({
    call: "employees.list",
    query: { keyword: apply.phone, limit: MOST },
  });
  if (given === null || named.state === "loading" || numbered.state === "loading") return null;
  const found = [named, numbered].flatMap((answer) =>
    answer.state === "ready" ? answer.data.records : [],
  );
  const free = new Map(
    found.filter(({ accountId }) => accountId === null).map((employee) => [employee.id, employee]),
  );
  return (
    <FormDialog
      title={text("approveTitle", { name: apply.name })}
      okText={text("approve")}
      fields={[
        {
          key: "employeeId",
          label: text("asEmployee"),
          input: "select",
          search: true,
          hint: text("asEmployeeHint"),
          options: [
            { value: AUTOMATIC, label: text("automatic") },
            ...[...free.values()].map(({ id, name, phone, department }) => ({
              value: id,
              label: [name, phone, department].filter((part) => part).join(" · "),
            })),
          ],
        },
        {
          key: "roleIds",
          label: text("roles"),
          input: "multi",
          look: "tags",
          options: given,
          hint: text("rolesHint"),
          shownWhen: () => given.length > 0,
        },
      ]}
      values={{
        employeeId: AUTOMATIC,
        roleIds: (apply.roleIds ?? []).filter((id) => given.some(({ value }) => value === id)),
      }}
      save={({ employeeId = AUTOMATIC, roleIds }) =>
        rest.call({
          call: "employees.decideApply",
          params: { id: apply.id },
          body: {
            status: "approved",
            employeeId: employeeId === AUTOMATIC ? null : employeeId,
            // Without the right to give roles, those of the invitation are given.
            ...(given.length === 0 || roleIds === undefined ? {} : { roleIds: [...roleIds] }),
          },
        })
      }
      onClose={onClose}
      onSaved={() => showMessage("success", text("approvedDone"))}
    />
  );
}
