/** The company's departments in the order of the tree, each with the people with whom this person may chat. */
import { Button } from "@arco-design/web-react";
import { IconDown, IconRight } from "@arco-design/web-react/icon";
import { type CSSProperties, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { CONTACTS_PAGE_SIZE } from "../../../../shared/domain/page-sizes.ts";
import type { Contact } from "../../../../shared/protocol/rest/entities.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore } from "../../../state/services.ts";
import { useRead } from "../../../state/useRead.ts";
import { FRIEND_TEXTS } from "../common/friend-texts.ts";
import { LoadNote } from "../../contacts/LoadNote.tsx";

interface Choice {
  readonly chosen: string | null;
  readonly onChoose: (chatId: string) => void;
}
interface Department {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly people: number;
}

/** How deep each department lies, by its id. */
function depths(departments: readonly Department[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  // a parent stands before its children
  for (const { id, parentId } of departments) {
    found.set(id, parentId === null ? 0 : (found.get(parentId) ?? -1) + 1);
  }
  return found;
}

export function BookDepartments(props: Choice) {
  const text = useTexts(FRIEND_TEXTS);
  const { answer, again } = useRead({ call: "im.departments" });
  if (answer.state !== "ready") {
    return (
      <li>
        <LoadNote
          missing
          failure={answer.state === "failed" ? text("departmentsFailed") : null}
          onRetry={again}
        />
      </li>
    );
  }
  if (answer.data.length === 0) return <li className="contacts-note">{text("departmentsNone")}</li>;
  const deep = depths(answer.data);
  return answer.data.map((department) => (
    <DepartmentRow
      key={department.id}
      department={department}
      depth={deep.get(department.id) ?? 0}
      {...props}
    />
  ));
}

function DepartmentRow(
  props: Choice & { readonly department: Department; readonly depth: number },
) {
  const { department } = props;
  const text = useTexts(FRIEND_TEXTS);
  const [open, setOpen] = useState(false);
  return (
    <li className="book-department" style={{ "--depth": props.depth } as CSSProperties}>
      <button type="button" aria-expanded={open} onClick={() => setOpen((now) => !now)}>
        {open ? <IconDown aria-hidden="true" /> : <IconRight aria-hidden="true" />}
        <span className="ellipsis">
          {department.name === "" ? text("noDepartment") : department.name}
        </span>
        <span className="book-side">{department.people}</span>
      </button>
      {open && <DepartmentPeople id={department.id} {...props} />}
    </li>
  );
}

function DepartmentPeople(props: Choice & { readonly id: string }) {
  const { id } = props;
  const { t } = useTranslation();
  const text = useTexts(FRIEND_TEXTS);
  const core = useCore();
  const [people, setPeople] = useState<readonly Contact[]>([]);
  const [total, setTotal] = useState<number | null>(null);
  const [state, setState] = useState<"loading" | "ready" | "failed">("loading");
  const [wanted, setWanted] = useState({ cursor: 1 });
  useEffect(() => {
    let current = true;
    const { cursor } = wanted;
    core.commands.people.list({ cursor, limit: CONTACTS_PAGE_SIZE, departmentId: id }).then(
      (page) => {
        if (!current) return;
        setPeople((now) => (cursor === 1 ? page.records : [...now, ...page.records]));
        setTotal(page.total);
        setState("ready");
      },
      () => {
        if (current) setState("failed");
      },
    );
    return () => {
      current = false;
    };
  }, [core, id, wanted]);
  const next = (): void => {
    setState("loading");
    setWanted({ cursor: Math.floor(people.length / CONTACTS_PAGE_SIZE) + 1 });
  };
  return (
    <>
      <ul>
        {people.map((person) => (
          <li key={person.userName}>
            <button
              type="button"
              className="contact"
              data-user={person.userName}
              aria-current={person.userName === props.chosen ? "true" : undefined}
              onClick={() => props.onChoose(person.userName)}
            >
              <Avatar
                name={person.name}
                src={person.avatar}
                person={person.userName}
                size={32}
                online={person.online}
              />
              <span className="contact-text">
                <span className="ellipsis">{person.name}</span>
                {person.position !== null && (
                  <span className="contact-last ellipsis">{person.position}</span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <LoadNote failure={state === "failed" ? t("people.failed") : null} onRetry={next} />
      {state === "ready" && people.length === 0 && (
        <p className="contacts-note">{text("peopleNone")}</p>
      )}
      {state !== "failed" && (total === null || people.length < total) && (
        <div className="contacts-note">
          <Button size="small" loading={state === "loading"} onClick={next}>
            {t("common.more")}
          </Button>
        </div>
      )}
    </>
  );
}
