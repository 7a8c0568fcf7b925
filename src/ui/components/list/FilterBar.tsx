/** The filters of a list as a bar above it. */
import { Button, Input, Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { useTexts } from "../../i18n/texts.ts";
import { DateField } from "../DateField.tsx";
import type { FilterField } from "./filters.ts";
import { LIST_TEXTS } from "./texts.ts";
import type { FilterValues } from "./useListQuery.ts";

export function FilterBar(props: {
  readonly fields: readonly FilterField<string>[];
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}) {
  const { fields, values, onChange } = props;
  const text = useTexts(LIST_TEXTS);
  const set = (key: string, value: string): void => onChange({ ...values, [key]: value });
  return (
    <div className="list-page-filters" data-kept="" role="search" aria-label={text("filters")}>
      {fields.map(({ key, label, options, input }) =>
        input === "date" ? (
          <DateField
            key={key}
            prefix={label}
            className="list-page-date"
            input={{ "aria-label": label }}
            value={values[key] ?? ""}
            onChange={(day) => set(key, day)}
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
        onClick={() => onChange({})}
      >
        {text("clear")}
      </Button>
    </div>
  );
}
