/** The choice of several people with an account, among any number of them: the server searches. The value is their account ids by comma. */
import { Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ControlProps } from "../../components/form/kinds.ts";
import { OneTabStop } from "../../components/form/OneTabStop.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useRead } from "../../state/useRead.ts";
import { CHANNEL_TEXTS } from "./channel-texts.ts";
import { listedIn } from "./channel-form.ts";
import "./alerts.css";

const DELAY = 250;
/** Most people that are offered at once. */
const OFFERED = 50;

/** @param props.names what chosen people are called, by account id; people who were offered are added */
export function PeopleField(props: ControlProps & { readonly names: Map<string, string> }) {
  const { names, value } = props;
  const { t } = useTranslation();
  const text = useTexts(CHANNEL_TEXTS);
  const [word, setWord] = useState("");
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(word.trim()), DELAY);
    return () => clearTimeout(timer);
  }, [word]);
  const { answer } = useRead(
    {
      call: "employees.list",
      query: { cursor: 1, limit: OFFERED, ...(asked === "" ? {} : { keyword: asked }) },
    },
    true,
  );
  const people = (answer.state === "ready" ? answer.data.records : []).flatMap(
    ({ accountId, name, department }) =>
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
        loading={answer.state === "loading"}
        notFoundContent={t(answer.state === "loading" ? "common.loading" : "common.none")}
        value={listedIn(value)}
        renderFormat={(_option, one) => names.get(String(one)) ?? String(one)}
        options={people.map(({ accountId, name, department }) => ({
          value: accountId,
          label: department === null || department === "" ? name : `${name}（${department}）`,
        }))}
        onSearch={setWord}
        onChange={(next: string[]) => props.onChange(next.join(","))}
      />
    </OneTabStop>
  );
}
