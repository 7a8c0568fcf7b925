/** The values of one audit record before and after the change. */
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { isEmpty } from "../../../shared/domain/validate.ts";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { MONITOR_TEXTS } from "./texts.ts";
import "../../components/table.css";
import "./monitor.css";

const shown = (value: unknown): string =>
  isEmpty(value) ? "–" : typeof value === "string" ? value : JSON.stringify(value);

export function AuditValues({ record }: { readonly record: Row<"audit.list"> }) {
  const text = useTexts(MONITOR_TEXTS);
  const before = record.before ?? {};
  const after = record.after ?? {};
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.length === 0 ? (
    <p className="audit-none">{text("noValues")}</p>
  ) : (
    <ScrollBox className="table-scroll">
      <table className="table audit-values">
        <thead>
          <tr>
            <th>{text("field")}</th>
            <th>{text("before")}</th>
            <th>{text("after")}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td>{shown(before[field])}</td>
              <td>{shown(after[field])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
