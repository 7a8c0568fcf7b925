/** The inaugural documents of one person: own ones to hand in, or those of an employee for who may decide. */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import type { InauguralDocument } from "../../../shared/protocol/rest/documents.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { ReadNote } from "../../components/ReadNote.tsx";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { useSlice } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { type DocumentAct, DocumentDialogs } from "./DocumentDialogs.tsx";
import { DocumentFiles, DocumentTag } from "./look.tsx";
import { DOCUMENT_TEXTS } from "./texts.ts";
import "./documents.css";

/** More kinds than a company asks for. */
const MOST = 200;

/** @param props.employeeId null: the person's own documents */
export function DocumentsPane({ employeeId }: { readonly employeeId: string | null }) {
  const text = useTexts(DOCUMENT_TEXTS);
  const may = useMay();
  const { isGuest } = useSlice("session");
  const all = useRead(
    employeeId === null
      ? null
      : { call: "documents.list", body: { employeeId, limit: MOST, searchCount: false } },
  );
  const own = useRead(
    employeeId === null
      ? { call: "documents.own", query: { limit: MOST, searchCount: false } }
      : null,
  );
  const { answer, again } = employeeId === null ? own : all;
  const [acting, setActing] = useState<DocumentAct | null>(null);
  if (answer.state !== "ready") {
    return (
      <ReadNote
        answer={answer}
        failed={text("failed")}
        onRetry={again}
        className="documents-none"
      />
    );
  }
  const { records } = answer.data;
  if (records.length === 0) {
    return <p className="documents-none">{text(employeeId === null ? "ownNone" : "none")}</p>;
  }
  const mayEdit = may("documents.decide");
  const actsOf = ({ kindId, status }: InauguralDocument): readonly DocumentAct["act"][] => {
    if (kindId === null) return [];
    // a guest may upload nothing
    if (employeeId === null) return status === "accepted" || isGuest === "1" ? [] : ["handInOwn"];
    if (!mayEdit) return [];
    const decided: readonly DocumentAct["act"][] =
      status === "handed" ? ["accept", "refuse"] : status === "missing" ? ["accept"] : [];
    return [...decided, "handIn", ...(status === "accepted" ? (["refuse"] as const) : [])];
  };
  const labelOf = (act: DocumentAct["act"], { status }: InauguralDocument): string =>
    ({
      handInOwn: text(status === "missing" ? "handIn" : "handInAgain"),
      handIn: text("handInFor"),
      accept: text("accept"),
      refuse: text("refuse"),
    })[act];
  return (
    <>
      <ScrollBox className="documents-box">
        <ul className="documents" aria-label={text(employeeId === null ? "own" : "tab")}>
          {records.map((document) => (
            <li key={document.id}>
              <p className="documents-head">
                <strong>{document.title}</strong>
                {document.required && <DictTag label={text("required")} listClass="info" />}
                <DocumentTag status={document.status} />
              </p>
              {document.status === "refused" && (
                <p className="documents-reason">{text("reasonIs", { reason: document.reason })}</p>
              )}
              {document.expiresOn !== null && (
                <p className="documents-note">{text("until", { day: document.expiresOn })}</p>
              )}
              {document.files.length > 0 ? (
                <DocumentFiles files={document.files} />
              ) : (
                document.status === "accepted" && <p className="documents-note">{text("paper")}</p>
              )}
              <div className="documents-actions">
                {actsOf(document).map((act) => (
                  <Button
                    key={act}
                    size="small"
                    aria-label={`${labelOf(act, document)} ${document.title}`}
                    onClick={() => setActing({ act, document })}
                  >
                    {labelOf(act, document)}
                  </Button>
                ))}
              </div>
            </li>
          ))}
        </ul>
      </ScrollBox>
      {acting !== null && <DocumentDialogs {...acting} onClose={() => setActing(null)} />}
    </>
  );
}
