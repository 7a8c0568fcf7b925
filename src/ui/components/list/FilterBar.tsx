/** The filters of a list as a bar above it. A link may set them by their keys in the address (docs/session.md#lists). */
import { Button, Input, Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { useTexts } from "../../i18n/texts.ts";
import { DateField } from "../DateField.tsx";
import type { FilterField } from "./filters.ts";
import { LIST_TEXTS } from "./texts.ts";
import { TreeSelect } from "../form/TreeSelect.tsx";
import { linkedBy } from "./linked.ts";
import type { FilterValues, ListQuery } from "./useListQuery.ts";

export function FilterBar(props: {
  readonly fields: readonly FilterField<string>[];
  readonly values: FilterValues;
  readonly onChange: (part: Partial<ListQuery>) => void;
}) {
  const { fields, values, onChange } = props;
  const text = useTexts(LIST_TEXTS);
  const set = (key: string, value: string): void =>
    onChange({ values: { ...values, [key]: value } });
  useLinked(fields, onChange);
  return (
    <div className="list-page-filters" data-kept="" role="search" aria-label={text("filters")}>
      {fields.map(({ key, label, options, nodes, input }) =>
        input === "date" ? (
          <DateField
            key={key}
            prefix={label}
            className="list-page-date"
            input={{ "aria-label": label }}
            value={values[key] ?? ""}
            onChange={(day) => set(key, day)}
          />
        ) : nodes !== undefined ? (
          <TreeSelect
            key={key}
            aria={{ "aria-label": label }}
            nodes={nodes}
            placeholder={`${label}: ${text("any")}`}
            allowClear
            many={false}
            value={values[key] ?? ""}
            onChange={(value) => set(key, value)}
          />
        ) : options === undefined ? (
          <Input
            key={key}
            allowClear
            placeholder={label}
            aria-label={label}
            value={values[key] ?? ""}
            onChange={(value) => set(key, value)}
          />
        ) : (
          <Select
            key={key}
            allowClear
            placeholder={`${label}: ${text("any")}`}
            aria-label={label}
            {...((values[key] ?? "") === "" ? {} : { value: values[key] as string })}
            onChange={(value?: string) => set(key, value ?? "")}
            options={options.map((option) => ({ ...option }))}
          />
        ),
      )}
      <Button
        type="text"
        disabled={Object.values(values).every((value) => value === "")}
        onClick={() => onChange({ values: {} })}
      >
        {text("clear")}
      </Button>
    </div>
  );
}

/** The rows that a link asks for are shown instead of what the person looked for before. The address keeps nothing of it. */
function useLinked(
  fields: readonly FilterField<string>[],
  onChange: (part: Partial<ListQuery>) => void,
): void {
  const location = useLocation();
  const navigate = useNavigate();
  const latest = useRef<(search: string) => void>(() => {});
  useEffect(() => {
    latest.current = (search) => {
      const linked = linkedBy(
        search,
        fields.map(({ key }) => key),
      );
      if (linked === null) return;
      onChange({ keyword: "", filter: null, values: linked.values });
      const { pathname, hash, state } = location;
      void navigate({ pathname, search: linked.search, hash }, { replace: true, state });
    };
  });
  useEffect(() => latest.current(location.search), [location.search, latest]);
}
