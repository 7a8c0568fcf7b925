/** The bars of a list above its table: running work and chosen rows. */
import { Button } from "@arco-design/web-react";
import type { GuardedCall } from "../../../shared/protocol/rest/call-permissions.generated.ts";
import { useTexts } from "../../i18n/texts.ts";
import { type AtOnce, type BulkAction, MOST_OF_FILTER } from "./columns.ts";
import { useLeaveWarning } from "../useLeaveWarning.ts";
import { LIST_TEXTS } from "./texts.ts";

export function BusyBar(props: { readonly label: string; readonly onCancel: () => void }) {
  const text = useTexts(LIST_TEXTS);
  // a reload would end what runs
  useLeaveWarning(true);
  return (
    <div className="list-page-chosen" role="status">
      <span className="tnum">{props.label}</span>
      <Button size="small" type="text" onClick={props.onCancel}>
        {text("cancel")}
      </Button>
    </div>
  );
}

/** Says that another filter has ended the choice of all rows. */
export function LapsedBar(props: { readonly onClose: () => void }) {
  const text = useTexts(LIST_TEXTS);
  return (
    <div className="list-page-chosen" role="status">
      <span>{text("lapsed")}</span>
      <Button size="small" type="text" onClick={props.onClose}>
        {text("understood")}
      </Button>
    </div>
  );
}

export function ChosenBar<T>(props: {
  readonly count: number;
  /** How many of all that the filter holds were taken out; null: the rows are chosen one by one. */
  readonly taken: number | null;
  /** Rows that the filter holds, while all that are shown are chosen and there are more; else null. */
  readonly whole: number | null;
  readonly onWhole: () => void;
  /** How many of them the filter may hide. */
  readonly elsewhere: number;
  /** Something else goes on. */
  readonly busy: boolean;
  readonly bulk: readonly (BulkAction<T> | AtOnce<T>)[];
  readonly onBulk: (action: BulkAction<T> | AtOnce<T>) => void;
  /** Null: the rows are not deleted by one call. */
  readonly onRemove: (() => void) | null;
  readonly removeCall: GuardedCall | undefined;
  readonly onClear: () => void;
}) {
  const { count, taken, whole, elsewhere } = props;
  const text = useTexts(LIST_TEXTS);
  const said =
    taken === null
      ? elsewhere === 0
        ? text("chosen", { count })
        : text("chosenElsewhere", { count, elsewhere })
      : taken === 0
        ? text("wholeChosen", { count })
        : text("wholeBut", { count, taken });
  return (
    <div className="list-page-chosen" role="status">
      <span className="tnum">{said}</span>
      {whole !== null &&
        (whole > MOST_OF_FILTER ? (
          <span className="list-page-whole">
            {text("wholeTooMany", { total: whole, most: MOST_OF_FILTER })}
          </span>
        ) : (
          <Button size="small" type="text" onClick={props.onWhole}>
            {text("chooseWhole", { count: whole })}
          </Button>
        ))}
      {props.bulk.map((action) => (
        <Button
          key={action.label}
          size="small"
          disabled={props.busy}
          data-call={action.call}
          {...(action.danger === true ? { status: "danger" as const } : {})}
          onClick={() => props.onBulk(action)}
        >
          {action.label}
        </Button>
      ))}
      {props.onRemove !== null && (
        <Button
          size="small"
          status="danger"
          data-call={props.removeCall}
          disabled={props.busy}
          onClick={props.onRemove}
        >
          {text("remove")}
        </Button>
      )}
      <Button size="small" type="text" onClick={props.onClear}>
        {text("unselect")}
      </Button>
    </div>
  );
}
