/** The choice of an employee among any number of them: the server searches. */
import { Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { ControlProps } from "../../components/form/kinds.ts";
import { OneTabStop } from "../../components/form/OneTabStop.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { employeeLabel, useEmployeeSearch } from "../../state/useEmployeeSearch.ts";
import { DEPARTMENT_TEXTS } from "./texts.ts";

/** Most people that are offered at once. */
const OFFERED = 20;

/** @param props.names what chosen people are called, by id; people who were offered are added */
export function EmployeeSelect(props: ControlProps & { readonly names: Map<string, string> }) {
  const { names, value } = props;
  const { t } = useTranslation();
  const text = useTexts(DEPARTMENT_TEXTS);
  const { people, isLoading, search } = useEmployeeSearch(OFFERED);
  useEffect(() => {
    for (const { id, name } of people) names.set(id, name);
  });
  return (
    <OneTabStop>
      <Select
        id={props.id}
        aria-label={props.label}
        aria-invalid={props.invalid}
        {...(props.describedBy === undefined ? {} : { "aria-describedby": props.describedBy })}
        error={props.invalid}
        disabled={props.disabled}
        allowClear
        showSearch
        filterOption={false}
        placeholder={text("searchHead")}
        loading={isLoading}
        notFoundContent={t(isLoading ? "common.loading" : "common.none")}
        {...(value === "" ? {} : { value })}
        renderFormat={(_option, one) => names.get(String(one)) ?? String(one)}
        options={people.map((person) => ({ value: person.id, label: employeeLabel(person) }))}
        onSearch={search}
        onChange={(next?: string) => props.onChange(next ?? "")}
      />
    </OneTabStop>
  );
}
