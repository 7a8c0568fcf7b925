/** Chooses people for a call: by search, by department, and the members of the group first. */
import { Checkbox, Input, Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Checkbox/style/css.js";
import "@arco-design/web-react/es/Select/style/css.js";
import { IconSearch } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useTexts } from "../../i18n/texts.ts";
import { useFrozenSlice, useSlice } from "../../state/services.ts";
import { ContactsAround, PersonToChoose } from "../contacts/PeopleToChoose.tsx";
import { useContacts } from "../contacts/useContacts.ts";
import { useGroupMembers } from "../contacts/useGroupMembers.ts";
import { type Candidate, candidatesOf, sectionsOf } from "./candidates.ts";
import { GROUP_CALL_TEXTS } from "./texts.ts";

const ALL = "*";

export function PeopleChooser(props: {
  readonly groupId: string | null;
  /** Chat user names that cannot be chosen. */
  readonly without: ReadonlySet<string>;
  readonly chosen: ReadonlyMap<string, string>;
  readonly onChange: (chosen: ReadonlyMap<string, string>) => void;
}) {
  const { chosen, groupId } = props;
  const { t } = useTranslation();
  const text = useTexts(GROUP_CALL_TEXTS);
  const [keyword, setKeyword] = useState("");
  const [department, setDepartment] = useState(ALL);
  const { chatUserName } = useSlice("session");
  const { groups } = useFrozenSlice("chat");
  const contacts = useContacts(keyword);
  const group = groupId === null ? undefined : groups[groupId];
  const members = useGroupMembers(groupId ?? "", group?.revision ?? null);
  const without = new Set([...props.without, chatUserName ?? ""]);
  const all = candidatesOf(members ?? [], contacts.list, keyword, without);
  const sections = sectionsOf(all, department === ALL ? null : department);
  // a department stays in the list while a search hides its people
  const [known, setKnown] = useState<readonly string[]>([]);
  const fresh = contacts.list
    .map((one) => one.department ?? "")
    .filter((name) => !known.includes(name));
  if (fresh.length > 0) setKnown([...new Set([...known, ...fresh])]);
  const departments = known
    .filter((name) => name !== "")
    .toSorted((a, b) => a.localeCompare(b, "zh"));
  if (known.includes("")) departments.push("");

  const toggle = (people: readonly Candidate[], on: boolean): void => {
    const next = new Map(chosen);
    for (const { userName, name } of people) {
      if (on) next.set(userName, name);
      else next.delete(userName);
    }
    props.onChange(next);
  };
  const titleOf = (name: string | null): string => {
    if (name === null) return text("members");
    return name === "" ? text("noDepartment") : name;
  };
  return (
    <>
      <div className="gcall-search">
        <Input
          allowClear
          prefix={<IconSearch aria-hidden="true" />}
          aria-label={text("search")}
          placeholder={text("search")}
          value={keyword}
          maxLength={100}
          onChange={setKeyword}
          onPressEnter={(event) => event.preventDefault()}
        />
        <Select
          aria-label={text("department")}
          value={department}
          onChange={(value: string) => setDepartment(value)}
          options={[
            { value: ALL, label: text("allDepartments") },
            ...departments.map((value) => ({ value, label: titleOf(value) })),
          ]}
        />
      </div>
      <div className="gcall-people">
        <ContactsAround
          contacts={contacts}
          empty={sections.length === 0}
          none={keyword.trim() === "" ? text("none") : t("people.noMatch")}
          onClear={keyword.trim() === "" ? null : () => setKeyword("")}
        >
          {sections.map(({ department: name, people }) => {
            const on = people.filter(({ userName }) => chosen.has(userName)).length;
            return (
              <fieldset key={name ?? "*"}>
                <legend>{titleOf(name)}</legend>
                {people.length > 1 && (
                  <Checkbox
                    className="gcall-all"
                    checked={on === people.length}
                    indeterminate={on > 0 && on < people.length}
                    onChange={(checked) => toggle(people, checked)}
                  >
                    {text("all")}
                  </Checkbox>
                )}
                {people.map((one) => (
                  <PersonToChoose
                    key={one.userName}
                    name={one.name}
                    place={one.member ? (one.department ?? "") : ""}
                    avatar={one.avatar}
                    chosen={chosen.has(one.userName)}
                    onChange={(checked) => toggle([one], checked)}
                  />
                ))}
              </fieldset>
            );
          })}
        </ContactsAround>
      </div>
    </>
  );
}
