/** Tells the applicant on the dashboard what the company's application waits for, until it is approved. */
import { Link } from "react-router-dom";
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { ApplyTag, useApplyHint } from "./ApplyState.tsx";
import { REGISTER_TEXTS } from "./texts.ts";
import "./register.css";

export function ApplyNotice() {
  const text = useTexts(REGISTER_TEXTS);
  const hintOf = useApplyHint();
  const { supplierId } = useSlice("session");
  const { answer } = useRead(
    supplierId === null
      ? null
      : { call: "registration.applies", query: { supplierId, limit: 1, searchCount: false } },
  );
  const apply = answer.state === "ready" ? answer.data.records[0] : undefined;
  if (apply === undefined || apply.status === "approved") return null;
  return (
    <section className="panel apply-notice" role="status">
      <ApplyTag status={apply.status} />
      <span>{hintOf(apply)}</span>
      <Link to="/nextPage">{text("seeApply")}</Link>
    </section>
  );
}
