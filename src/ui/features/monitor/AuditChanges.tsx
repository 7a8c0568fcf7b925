/** What one entry of the operation log changed, in words: each field from what to what, what was created, or what is gone. */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { LongText } from "../../components/LongText.tsx";
import { useTexts } from "../../i18n/texts.ts";
import type { AuditChange } from "./audit-words.ts";
import { MONITOR_TEXTS } from "./texts.ts";
import "./monitor.css";

/** Fields that are shown before a person asks for all: a part of an import changes thousands. */
const MOST = 50;

function Change({ change }: { readonly change: AuditChange }) {
  const text = useTexts(MONITOR_TEXTS);
  const { label, kind, from, to } = change;
  const value = (said: string | null) =>
    said === null ? <span className="audit-empty">{text("empty")}</span> : <LongText text={said} />;
  return (
    <div>
      <dt>{label}</dt>
      {kind === "value" && <dd>{value(to ?? from)}</dd>}
      {kind === "change" && (
        <dd>
          <del>{value(from)}</del> <span aria-hidden="true">→</span>
          <span className="visually-hidden">{text("changedTo")}</span> <ins>{value(to)}</ins>
        </dd>
      )}
      {kind === "lists" && (
        <dd>
          {to !== null && (
            <p>
              {text("added")} <ins>{value(to)}</ins>
            </p>
          )}
          {from !== null && (
            <p>
              {text("removed")} <del>{value(from)}</del>
            </p>
          )}
        </dd>
      )}
    </div>
  );
}

export function AuditChanges(props: {
  readonly record: Row<"audit.list">;
  readonly changes: readonly AuditChange[];
}) {
  const { record, changes } = props;
  const text = useTexts(MONITOR_TEXTS);
  const [whole, setWhole] = useState(false);
  if (changes.length === 0) return <p className="audit-none">{text("noValues")}</p>;
  const { action, before, after } = record;
  const heading =
    before === null
      ? text(action === "create" ? "createdWith" : "values")
      : after === null
        ? text(action === "delete" ? "deletedWith" : "valuesBefore")
        : text("changed");
  const shown = whole ? changes : changes.slice(0, MOST);
  return (
    <section className="audit-changes" aria-label={heading}>
      <h3>{heading}</h3>
      <dl>
        {shown.map((change) => (
          <Change key={change.key} change={change} />
        ))}
      </dl>
      {shown.length < changes.length && (
        <Button type="text" onClick={() => setWhole(true)}>
          {text("allChanges", { count: changes.length })}
        </Button>
      )}
    </section>
  );
}
