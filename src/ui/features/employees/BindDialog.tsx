/** Binds an account to an employee: of somebody who applied, or belonged to the company, whom the server finds. */
import { Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { useEffect, useState } from "react";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import type { ControlProps } from "../../components/form/fields.ts";
import { OneTabStop } from "../../components/form/OneTabStop.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useRead } from "../../state/useRead.ts";
import { DIALOG_TEXTS } from "./dialog-texts.ts";

/** Accounts of a search that are shown; the newest come first. */
const SHOWN = 50;
/** ms after the last key. */
const PAUSE = 250;

export function BindDialog(props: {
  readonly save: (accountId: string) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const more = useTexts(DIALOG_TEXTS);
  return (
    <FormDialog
      title={more("bind")}
      fields={[
        {
          key: "accountId",
          label: more("candidate"),
          required: true,
          hint: more("candidateHint"),
          control: chooseAccount,
        },
      ]}
      values={{ accountId: "" }}
      save={({ accountId = "" }) => props.save(accountId)}
      onClose={props.onClose}
    />
  );
}

const chooseAccount = (props: ControlProps) => <AccountChoice {...props} />;

function AccountChoice(props: ControlProps) {
  const more = useTexts(DIALOG_TEXTS);
  const [typed, setTyped] = useState("");
  const [keyword, setKeyword] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const { answer } = useRead(
    { call: "employees.candidates", query: { keyword, limit: SHOWN, searchCount: false } },
    true,
  );
  const found = answer.state === "ready" ? answer.data.records : [];
  return (
    <OneTabStop>
      <Select
        id={props.id}
        aria-label={props.label}
        aria-invalid={props.invalid}
        aria-describedby={props.describedBy}
        {...(props.value === "" ? {} : { value: props.value })}
        error={props.invalid}
        disabled={props.disabled}
        placeholder={more("candidateSearch")}
        showSearch
        // The server has filtered.
        filterOption={false}
        loading={answer.state === "loading"}
        notFoundContent={more("noCandidates")}
        onSearch={setTyped}
        onChange={(value: string) => props.onChange(value)}
        options={found.map(({ id, name, phone, userName, why }) => ({
          value: id,
          label: [name, phone, userName, more(why === "pending" ? "applied" : "former")]
            .filter((part) => part !== null)
            .join(" · "),
        }))}
      />
    </OneTabStop>
  );
}
