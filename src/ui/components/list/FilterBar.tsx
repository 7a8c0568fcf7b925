/** The filters of a list as a bar above it. A text is searched after the last key, a choice at once. */
import { Button, Input, Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { useEffect, useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import type { FormOption } from "../form/fields.ts";
import { LIST_TEXTS } from "./texts.ts";

const DELAY = 250;

export interface FilterField<K extends string> {
  readonly key: K;
  readonly label: string;
  /** A choice of one of these; left out: a text. */
  readonly options?: readonly FormOption[];
}

export type FilterValues = Readonly<Record<string, string>>;

export function FilterBar(props: {
  readonly fields: readonly FilterField<string>[];
  /** Gets the filters that are not empty. */
  readonly onChange: (values: FilterValues) => void;
}) {
  const { fields, onChange } = props;
  const text = useTexts(LIST_TEXTS);
  const [values, setValues] = useState<FilterValues>({});
  useEffect(() => {
    const given = Object.entries(values).filter(([, value]) => value.trim() !== "");
    const timer = setTimeout(() => onChange(Object.fromEntries(given)), DELAY);
    return () => clearTimeout(timer);
  }, [values, onChange]);
  const set = (key: string, value: string): void => setValues((now) => ({ ...now, [key]: value }));
  return (
    <div className="list-page-filters" role="search" aria-label={text("filters")}>
      {fields.map(({ key, label, options }) =>
        options === undefined ? (
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
        onClick={() => setValues({})}
      >
        {text("clear")}
      </Button>
    </div>
  );
}
