/** Says on the dashboard of a person without a company what became of the application for a membership. */
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { ApplyTag } from "../register/ApplyState.tsx";
import { APPLY_TEXTS } from "./apply-texts.ts";
import "../register/register.css";

export function MembershipNotice() {
  const text = useTexts(APPLY_TEXTS);
  const { accountId, isGuest } = useSlice("session");
  const { answer } = useRead(
    accountId === null || isGuest !== "1"
      ? null
      : {
          call: "employees.applies",
          query: { applyAccountId: accountId, descParameter: "id", limit: 1, searchCount: false },
        },
  );
  const apply = answer.state === "ready" ? answer.data.records[0] : undefined;
  if (apply === undefined || apply.status === "approved") return null;
  const { supplierName: company, status, reason = "" } = apply;
  return (
    <section className="panel apply-notice" role="status">
      <ApplyTag status={status} />
      <span>
        {status === "pending"
          ? text("ownPending", { company })
          : text("ownRefused", { company, reason })}
      </span>
    </section>
  );
}
