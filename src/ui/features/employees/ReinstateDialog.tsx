/** Brings back somebody who left, after the question with which rights. */
import { FormDialog } from "../../components/form/FormDialog.tsx";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { DIALOG_TEXTS } from "./dialog-texts.ts";
import { LEAVE_TEXTS } from "./leave-texts.ts";
import { useRolesToGive } from "./useRolesToGive.ts";

export function ReinstateDialog(props: {
  readonly employee: PageCallData<"employees.get">;
  readonly onClose: () => void;
}) {
  const { id, name, accountId, userName, version } = props.employee;
  const text = useTexts(LEAVE_TEXTS);
  const more = useTexts(DIALOG_TEXTS);
  const { rest } = useCore().commands;
  const given = useRolesToGive();
  if (given === null) return null;
  const hasAccount = accountId !== null;
  return (
    <FormDialog
      title={text("reinstateTitle", { name })}
      intro={<p>{text(hasAccount ? "reinstateHint" : "reinstateHintNoAccount")}</p>}
      okText={text("reinstate")}
      fields={[
        {
          key: "withAccount",
          label: text("withAccount", { name: userName ?? accountId ?? "" }),
          input: "switch",
          shownWhen: () => hasAccount,
        },
        {
          key: "roleIds",
          label: more("roles"),
          input: "multi",
          look: "tags",
          options: given,
          hint: text("reinstateRoles"),
          shownWhen: ({ withAccount }) => withAccount === true && given.length > 0,
        },
      ]}
      values={{ withAccount: hasAccount, roleIds: [] }}
      save={({ withAccount = false, roleIds = [] }) =>
        rest.call({
          call: "employees.reinstate",
          body: { id, version, withAccount, roleIds: withAccount ? [...roleIds] : [] },
        })
      }
      onClose={props.onClose}
      onSaved={() => showMessage("success", text("reinstated"))}
    />
  );
}
