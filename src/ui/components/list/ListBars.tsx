/** The bars of a list above its table: running work and chosen rows. */
import { Button } from "@arco-design/web-react";
import type { GuardedCall } from "../../../shared/protocol/rest/call-permissions.generated.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { BulkAction } from "./columns.ts";
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

export function ChosenBar<T>(props: {
  readonly count: number;
  /** How many of them the filter may hide. */
  readonly elsewhere: number;
  readonly bulk: readonly BulkAction<T>[];
  readonly onBulk: (action: BulkAction<T>) => void;
  /** Null: the rows are not deleted by one call. */
  readonly onRemove: (() => void) | null;
  readonly removeCall: GuardedCall | undefined;
  readonly onClear: () => void;
}) {
  const text = useTexts(LIST_TEXTS);
  return (
    <div className="list-page-chosen" role="status">
      <span className="tnum">
        {props.elsewhere === 0
          ? text("chosen", { count: props.count })
          : text("chosenElsewhere", { count: props.count, elsewhere: props.elsewhere })}
      </span>
      {props.bulk.map((action) => (
        <Button
          key={action.label}
          size="small"
          data-call={action.call}
          {...(action.danger === true ? { status: "danger" as const } : {})}
          onClick={() => props.onBulk(action)}
        >
          {action.label}
        </Button>
      ))}
      {props.onRemove !== null && (
        <Button size="small" status="danger" data-call={props.removeCall} onClick={props.onRemove}>
          {text("remove")}
        </Button>
      )}
      <Button size="small" type="text" onClick={props.onClear}>
        {text("unselect")}
      </Button>
    </div>
  );
}
