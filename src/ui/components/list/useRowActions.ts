/** What a list page offers for each row, in its row and in the drawer. */
import type { ListCallId, Row } from "../../../shared/protocol/rest/page-calls.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { AnyField } from "../form/kinds.ts";
import type { RowAction } from "./columns.ts";
import type { ListDeclaration } from "./declared.ts";
import { LIST_TEXTS } from "./texts.ts";

export function useRowActions<I extends ListCallId, const F extends readonly AnyField[]>(
  props: ListDeclaration<I, F>,
  list: {
    readonly may: (call: RowAction<Row<I>>["call"]) => boolean;
    readonly edit: (row: Row<I>) => void;
    readonly askRemove: (rows: readonly Row<I>[]) => void;
    readonly show: (index: number) => void;
  },
): {
  readonly drawer: readonly RowAction<Row<I>>[];
  readonly row: readonly RowAction<Row<I>>[];
} {
  const { form, remove } = props;
  const { may } = list;
  const text = useTexts(LIST_TEXTS);
  const drawer: RowAction<Row<I>>[] = [
    ...(form !== undefined && may(form.calls.edit)
      ? [
          {
            label: text("edit"),
            call: form.calls.edit,
            when: (row: Row<I>) => form.when?.(row) !== false,
            onClick: list.edit,
          },
        ]
      : []),
    ...(props.rowActions ?? []).filter(({ call: needed }) => may(needed)),
    ...(remove !== undefined && may(remove.call)
      ? [
          {
            label: text("remove"),
            call: remove.call,
            danger: true,
            when: (row: Row<I>) => remove.when?.(row) !== false,
            onClick: (row: Row<I>) => list.askRemove([row]),
          },
        ]
      : []),
  ];
  const details = { label: text("detail"), onClick: (_: Row<I>, at: number) => list.show(at) };
  const row = drawer.filter(({ inDetailsAlone }) => inDetailsAlone !== true);
  return { drawer, row: props.renderDetails === undefined ? row : [details, ...row] };
}
