/** Chooses people, and groups where the list has some: search, the list page by page, and who is chosen. */
import { Input } from "@arco-design/web-react";
import { IconSearch } from "@arco-design/web-react/icon";
import { ContactsAround, PersonToChoose } from "../../contacts/PeopleToChoose.tsx";
import type { Contacts } from "../../contacts/useContacts.ts";
import type { Person } from "../common/useContactRows.ts";

/** Names by user name or conversation key. */
export type Chosen = ReadonlyMap<string, string>;

export interface ChoiceRow {
  readonly key: string;
  readonly name: string;
  /** What stands below the name. */
  readonly place: string;
  /** Null for a group. */
  readonly avatar: string | null;
}

export const placeOf = ({
  department,
  position,
}: Pick<Person, "department" | "position">): string =>
  [department, position].filter((x) => x).join(" · ");

export function PeopleChoice(props: {
  readonly contacts: Contacts;
  readonly rows: readonly ChoiceRow[];
  readonly keyword: string;
  readonly onKeyword: (keyword: string) => void;
  readonly chosen: Chosen;
  readonly onChosen: (chosen: Chosen) => void;
  readonly texts: {
    readonly search: string;
    readonly list: string;
    /** There is nobody. */
    readonly none: string;
    /** How many are chosen. */
    readonly chosen: string;
  };
}) {
  const { contacts, rows, chosen, texts } = props;
  const toggle = (key: string, name: string, on: boolean): void => {
    const others = [...chosen].filter(([other]) => other !== key);
    props.onChosen(new Map(on ? [...others, [key, name]] : others));
  };
  return (
    <>
      <Input
        allowClear
        prefix={<IconSearch aria-hidden="true" />}
        aria-label={texts.search}
        placeholder={texts.search}
        value={props.keyword}
        maxLength={100}
        onChange={props.onKeyword}
        onPressEnter={(event) => event.preventDefault()}
      />
      <fieldset className="group-choice" aria-label={texts.list}>
        <ContactsAround
          contacts={contacts}
          empty={rows.length === 0}
          none={texts.none}
          onClear={props.keyword.trim() === "" ? null : () => props.onKeyword("")}
        >
          {rows.map(({ key, name, place, avatar }) => (
            <PersonToChoose
              key={key}
              name={name}
              place={place}
              avatar={avatar}
              chosen={chosen.has(key)}
              onChange={(on) => toggle(key, name, on)}
            />
          ))}
        </ContactsAround>
      </fieldset>
      <p className="group-chosen" aria-live="polite">
        {texts.chosen}
        {chosen.size > 0 && `：${[...chosen.values()].join("、")}`}
      </p>
    </>
  );
}
