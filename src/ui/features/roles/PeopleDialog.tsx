/** Who has a role: people are given it and lose it, one by one or many at once. */
import { Button, Input } from "@arco-design/web-react";
import { IconSearch } from "@arco-design/web-react/icon";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import type { RoleRow } from "../../../shared/protocol/rest/roles.ts";
import { ChosenNames, withoutElsewhere } from "../../components/list/ChosenNames.tsx";
import { ListTable } from "../../components/list/ListTable.tsx";
import { useChoice } from "../../components/list/useChoice.ts";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useMay } from "../../state/may.ts";
import { useCore } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { useRows } from "../../state/useRows.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { ROLE_TEXTS } from "./texts.ts";
import "../../components/form/form.css";
import "./roles.css";

type Person = PageCallData<"roles.people">["records"][number];

export function PeopleDialog(props: { readonly role: RoleRow; readonly onClose: () => void }) {
  const { id, name } = props.role;
  const text = useTexts(ROLE_TEXTS);
  const [assigned, setAssigned] = useState<"true" | "false">("true");
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  return (
    <Dialog
      visible
      title={text("peopleOf", { name })}
      className="form-dialog"
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      <div className="role-dialog">
        <div className="role-parts" role="group" aria-label={text("people")}>
          {(["true", "false"] as const).map((which) => (
            <Button
              key={which}
              type={assigned === which ? "primary" : "secondary"}
              aria-pressed={assigned === which}
              onClick={() => setAssigned(which)}
            >
              {text(which === "true" ? "assigned" : "unassigned")}
            </Button>
          ))}
        </div>
        {/* what was chosen belongs to one of the two lists */}
        <People key={assigned} roleId={id} assigned={assigned} />
      </div>
    </Dialog>
  );
}

function People({ roleId, assigned }: { roleId: string; assigned: "true" | "false" }) {
  const { t } = useTranslation();
  const text = useTexts(ROLE_TEXTS);
  const may = useMay();
  const { rest } = useCore().commands;
  const [keyword, setKeyword] = useState("");
  const filters = useMemo(() => ({ roleId, assigned }), [roleId, assigned]);
  const rows = useRows({ call: "roles.people", keyword, filters, refresh: 0 });
  const { list, elsewhere, choice, drop } = useChoice<Person>(() => true, {
    query: keyword.trim(),
    rows,
  });
  const mayEdit = may("roles.assign");
  const phones = may("employees.get");
  const giving = assigned === "false";

  const change = (people: readonly Person[]): Promise<void> => {
    const body = { roleId, accountIds: people.map(({ accountId }) => accountId) };
    const call = giving ? ("roles.assign" as const) : ("roles.take" as const);
    return rest.call({ call, body }).then(() => {
      drop(people);
      showMessage("success", text(giving ? "given" : "taken"));
    }, showError);
  };
  const begin = (people: readonly Person[]): void => {
    const hidden = elsewhere.filter((person) => people.includes(person));
    if (giving && hidden.length === 0) {
      void change(people);
      return;
    }
    let wanted = withoutElsewhere(people, hidden);
    ask({
      title: text(giving ? "giveTitle" : "takeTitle"),
      content: (
        <ChosenNames
          question={(count) => text(giving ? "giveAsk" : "takeAsk", { count })}
          rows={people}
          elsewhere={hidden}
          nameOf={(person) => person.name}
          onRows={(rows) => {
            wanted = rows;
          }}
        />
      ),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () => change(wanted),
    });
  };
  const search = text(phones ? "searchPeople" : "searchNames");
  return (
    <div className="role-people">
      <div className="role-people-tools">
        <Input
          allowClear
          prefix={<IconSearch aria-hidden="true" />}
          placeholder={search}
          aria-label={search}
          value={keyword}
          onChange={setKeyword}
        />
        {mayEdit && (
          <Button type="primary" disabled={list.length === 0} onClick={() => begin(list)}>
            {text(giving ? "giveChosen" : "takeChosen", { count: list.length })}
          </Button>
        )}
      </div>
      <ReadNote
        className="list-page-none"
        answer={rows}
        failed={text("peopleFailed")}
        onRetry={rows.retry}
      />
      {rows.state === "ready" && rows.total === 0 && (
        <div className="list-page-none">{text("noPeople")}</div>
      )}
      <ListTable
        label={text(giving ? "unassigned" : "assigned")}
        rows={rows}
        columns={[
          { key: "person", title: text("person"), render: (person) => person.name },
          ...(phones
            ? [
                {
                  key: "phone",
                  title: text("phone"),
                  render: (person: Person) => person.phone,
                  className: "tnum ellipsis",
                },
              ]
            : []),
          { key: "department", title: text("department"), render: (person) => person.department },
        ]}
        actions={
          mayEdit
            ? [
                {
                  label: text(giving ? "give" : "take"),
                  danger: !giving,
                  onClick: (person) => begin([person]),
                },
              ]
            : []
        }
        choice={mayEdit ? choice : undefined}
        nameOf={(person) => person.name}
        hidden={rows.state !== "ready" || rows.total === 0}
      />
    </div>
  );
}
