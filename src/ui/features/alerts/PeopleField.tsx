/** The choice of several people with an account, among any number of them: the server searches. The value is their account ids by comma. */
import { Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { ControlProps } from "../../components/form/kinds.ts";
import { OneTabStop } from "../../components/form/OneTabStop.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { employeeLabel, useEmployeeSearch } from "../../state/useEmployeeSearch.ts";
import { CHANNEL_TEXTS } from "./channel-texts.ts";
import { listedIn } from "./channel-form.ts";
import "./alerts.css";

/** Most people that are offered at once. */
const OFFERED = 50;

/** @param props.names what chosen people are called, by account id; people who were offered are added */
export function PeopleField(props: ControlProps & { readonly names: Map<string, string> }) {
  const { names, value } = props;
  const { t } = useTranslation();
  const text = useTexts(CHANNEL_TEXTS);
  const { people: found, isLoading, search } = useEmployeeSearch(OFFERED);
  const people = found.flatMap(({ accountId, name, department }) =>
    accountId === null ? [] : [{ accountId, name, department }],
  );
  useEffect(() => {
    for (const { accountId, name } of people) names.set(accountId, name);
  });
  return (
    <OneTabStop>
      <Select
        id={props.id}
        className="alert-people"
        mode="multiple"
        aria-label={props.label}
        aria-invalid={props.invalid}
        {...(props.describedBy === undefined ? {} : { "aria-describedby": props.describedBy })}
        error={props.invalid}
        disabled={props.disabled}
        allowClear
        showSearch
        filterOption={false}
        placeholder={text("peopleSearch")}
        loading={isLoading}
        notFoundContent={t(isLoading ? "common.loading" : "common.none")}
        value={listedIn(value)}
        renderFormat={(_option, one) => names.get(String(one)) ?? String(one)}
        options={people.map((person) => ({
          value: person.accountId,
          label: employeeLabel(person),
        }))}
        onSearch={search}
        onChange={(next: string[]) => props.onChange(next.join(","))}
      />
    </OneTabStop>
  );
}
