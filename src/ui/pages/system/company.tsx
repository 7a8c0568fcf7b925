/** What the company says of itself (docs/server.md#company-profile). Everybody of the company reads it. */
import { Button } from "@arco-design/web-react";
import { lazy, useState } from "react";
import { COMPANY_FIELD_KEYS } from "../../../shared/domain/company-fields.ts";
import { useFieldsInUse } from "../../features/fields/useFieldsInUse.ts";
import { StoredPicture } from "../../features/company/StoredPicture.tsx";
import { COMPANY_TEXTS } from "../../features/company/texts.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { retrying } from "../../state/retrying.ts";
import { useRead } from "../../state/useRead.ts";
import { Part } from "../../components/Part.tsx";
import "../../components/list-page.css";
import "../../features/company/company.css";

const CompanyDialog = lazy(() =>
  retrying(() => import("../../features/company/CompanyDialog.tsx")),
);

/** The logo stands beside the name. */
const SHOWN = COMPANY_FIELD_KEYS.filter((key) => key !== "logo");

export default function CompanyPage() {
  const text = useTexts(COMPANY_TEXTS);
  const may = useMay();
  const { answer, again } = useRead({ call: "company.get" });
  const inUse = useFieldsInUse("company");
  const [editing, setEditing] = useState(false);
  const profile = answer.state === "ready" ? answer.data : null;
  return (
    <section className="panel company-profile">
      <header>
        <h1>{text("title")}</h1>
        {may("company.update") && (
          <Button
            type="primary"
            data-call="company.update"
            disabled={profile === null}
            onClick={() => setEditing(true)}
          >
            {text("edit")}
          </Button>
        )}
      </header>
      {profile !== null ? (
        <>
          <div className="company-profile-name">
            {inUse.uses("logo") && <StoredPicture fileName={profile.logo} alt={text("logo")} />}
            <strong>{profile.name}</strong>
          </div>
          <dl>
            {inUse
              .inOrder(SHOWN, (key) => key)
              .map((key) => (
                <div key={key}>
                  <dt>{text(key)}</dt>
                  <dd>{profile[key] === "" ? text("none") : profile[key]}</dd>
                </div>
              ))}
            {profile.licence !== "" && (
              <div>
                <dt>{text("licence")}</dt>
                <dd>
                  <StoredPicture fileName={profile.licence} alt={text("licence")} />
                </dd>
              </div>
            )}
          </dl>
        </>
      ) : (
        <ReadNote
          className="list-page-none"
          answer={answer}
          failed={text("failed")}
          onRetry={again}
        />
      )}
      {editing && profile !== null && (
        <Part onFailed={() => setEditing(false)}>
          <CompanyDialog profile={profile} onClose={() => setEditing(false)} />
        </Part>
      )}
    </section>
  );
}
