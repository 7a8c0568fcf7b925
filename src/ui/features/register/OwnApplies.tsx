/** The applications of the person who is logged in: state, reason of a refusal, and its correction (docs/session.md#a-refused-application). */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { formatDate } from "../../../shared/domain/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useTitle } from "../../state/title.ts";
import { useRead } from "../../state/useRead.ts";
import { PlainPage } from "../fallback/PlainPage.tsx";
import { ApplyTag, useApplyHint } from "./ApplyState.tsx";
import { CorrectionPage } from "./CorrectionPage.tsx";
import { REGISTER_TEXTS } from "./texts.ts";
import "./register.css";

/** Nobody has more applications; the newest come first. */
const MOST = 20;

export function OwnApplies() {
  const { t } = useTranslation();
  const text = useTexts(REGISTER_TEXTS);
  const hintOf = useApplyHint();
  const navigate = useNavigate();
  useTitle(text("nextTitle"));
  const [correcting, setCorrecting] = useState<string | null>(null);
  const { answer, again } = useRead({ call: "registration.applies", query: { limit: MOST } });
  const home = (
    <Button type="primary" onClick={() => void navigate("/")}>
      {text("nextHome")}
    </Button>
  );
  if (answer.state === "failed") {
    return (
      <PlainPage icon="broken" title={text("nextFailed")} hint="">
        <Button onClick={again}>{t("common.retry")}</Button>
        {home}
      </PlainPage>
    );
  }
  if (answer.state !== "ready") {
    return <PlainPage icon="building" title={text("nextTitle")} hint={t("common.loading")} />;
  }
  const { records } = answer.data;
  const corrected = records.find(({ id }) => id === correcting);
  if (corrected !== undefined) {
    return <CorrectionPage apply={corrected} onClose={() => setCorrecting(null)} />;
  }
  return (
    <PlainPage
      icon="building"
      title={text("nextTitle")}
      hint={records.length === 0 ? text("nextNone") : ""}
    >
      {records.map((apply) => (
        <div key={apply.id} className="next-apply">
          <ApplyTag status={apply.status} />
          <p>{hintOf(apply)}</p>
          <p className="tnum">
            {text("appliedAt")} {formatDate(Date.parse(apply.createTime))}
          </p>
          {apply.status === "refused" && (
            <Button onClick={() => setCorrecting(apply.id)}>{text("correct")}</Button>
          )}
        </div>
      ))}
      {home}
    </PlainPage>
  );
}
