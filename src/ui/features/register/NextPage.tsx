/** /nextPage (docs/session.md#registration): what follows a registration. The applicant who is logged in sees the state. */
import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { formatDate } from "../../../shared/domain/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { useTitle } from "../../state/title.ts";
import { useRead } from "../../state/useRead.ts";
import { PlainPage } from "../fallback/PlainPage.tsx";
import { ApplyTag, useApplyHint } from "./ApplyState.tsx";
import { REGISTER_TEXTS } from "./texts.ts";
import "./register.css";

/** Nobody has more applications; the newest come first. */
const MOST = 20;

export function NextPage() {
  const text = useTexts(REGISTER_TEXTS);
  const navigate = useNavigate();
  const { status } = useSlice("session");
  useTitle(text("nextTitle"));
  if (status === "authenticated") return <OwnApplies />;
  return (
    <PlainPage icon="building" title={text("nextTitle")} hint={text("nextHint")}>
      <Button type="primary" onClick={() => void navigate("/login")}>
        {text("nextLogin")}
      </Button>
    </PlainPage>
  );
}

function OwnApplies() {
  const { t } = useTranslation();
  const text = useTexts(REGISTER_TEXTS);
  const hintOf = useApplyHint();
  const navigate = useNavigate();
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
        </div>
      ))}
      {home}
    </PlainPage>
  );
}
