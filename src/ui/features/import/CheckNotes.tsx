/**
 * Questions and warnings of the check that concern no single cell: a row that sums up the list, rows of possibly the same person, and
 * telephone numbers for which there is no field.
 */
import { Alert, Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import type { Snapshot } from "valtio";
import { useTexts } from "../../i18n/texts.ts";
import { IMPORT_TEXTS } from "./texts.ts";
import type { Checked, TotalDecision } from "../../../shared/protocol/import-worker.ts";

/** Number of near-copies that are listed by name. */
const NAMED = 5;

export function CheckNotes(props: {
  readonly checked: Snapshot<Pick<Checked, "blank" | "total" | "copies" | "spare">>;
  readonly onTotal: (decision: TotalDecision) => void;
  readonly onSpare: (column: number) => void;
  /** Name of a column of the file. */
  readonly nameOf: (column: number) => string;
}) {
  const { t } = useTranslation();
  const text = useTexts(IMPORT_TEXTS);
  const { blank, total, copies, spare } = props.checked;
  const named = copies.rows
    .slice(0, NAMED)
    .map(({ row, earlier }) => t("imports.check.copy", { row, of: earlier }))
    .join(t("imports.check.comma"));
  const lines = (total?.rows ?? [])
    .map((line) => text("totalRow", { row: line.row, text: line.text }))
    .join(t("imports.check.comma"));
  const isMany = (total?.rows.length ?? 0) > 1;
  const button = (decision: TotalDecision, type: "primary" | "default") => (
    <Button size="mini" type={type} onClick={() => props.onTotal(decision)}>
      {decision === "out" && isMany ? text("outMany") : t(`imports.check.total_${decision}`)}
    </Button>
  );
  return (
    <>
      {total !== null && (
        <Alert
          type={total.decision === "ask" ? "warning" : "info"}
          data-testid="import-total"
          content={t(`imports.check.totalIs_${total.decision}`, { named: lines })}
          action={
            <span className="import-decide">
              {total.decision === "ask" ? (
                <>
                  {button("out", "primary")}
                  {button("in", "default")}
                </>
              ) : (
                button("ask", "default")
              )}
            </span>
          }
        />
      )}
      {blank > 0 && (
        <Alert type="info" data-testid="import-blank" content={text("blank", { count: blank })} />
      )}
      {spare.map(({ column, rows }) => (
        <Alert
          key={column}
          type="warning"
          data-testid="import-spare"
          content={text("spare", { name: props.nameOf(column), count: rows })}
          action={
            <Button size="mini" type="primary" onClick={() => props.onSpare(column)}>
              {text("spareMove")}
            </Button>
          }
        />
      ))}
      {copies.count > 0 && (
        <Alert
          type="warning"
          data-testid="import-copies"
          content={t("imports.check.copies", { count: copies.count, named })}
        />
      )}
    </>
  );
}
