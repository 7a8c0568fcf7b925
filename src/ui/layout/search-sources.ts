/** Where the search of the frame looks for records: one source a group, and only those that the person may read. */
import type { CoreClient } from "../../core-client/contracts.ts";
import { showMeetingNumber } from "../../shared/domain/meeting-number.ts";
import type { GuardedCall } from "../../shared/protocol/rest/call-permissions.generated.ts";
import type { Found, SearchGroup } from "./search-results.ts";

/** Most records of a group. */
const MOST = 8;

export interface SearchNeeds {
  readonly rest: CoreClient["commands"]["rest"];
  readonly may: (call: GuardedCall) => boolean;
  /** Whether the person's menus have a page of this path. */
  readonly has: (path: string) => boolean;
  /** Members with a role, who see colleagues and bulletins. */
  readonly isStaff: boolean;
  readonly people: (count: number) => string;
}

export interface SearchSource {
  readonly group: SearchGroup;
  /** @param word not empty, in lower case */
  readonly ask: (word: string) => Promise<readonly Found[]>;
}

const PAGES = {
  employees: "/supplier/employees",
  chat: "/im/people",
  departments: "/system/dept",
  dictionaries: "/system/dict",
  conferences: "/im/conference",
} as const;

const found = (
  group: SearchGroup,
  given: Pick<Found, "id" | "title" | "detail" | "to"> & { readonly chat?: string | null },
): Found => ({ chat: null, external: false, group, ...given });

export function searchSources(needs: SearchNeeds): readonly SearchSource[] {
  const { rest, may, has, isStaff } = needs;
  const hasEmployees = has(PAGES.employees);

  const employees: SearchSource = {
    group: "employee",
    async ask(word) {
      const query = { keyword: word, limit: MOST, searchCount: false };
      const { records } = await rest.call({ call: "employees.list", query });
      return records.flatMap(({ id, name, department, position, userName }) => {
        const chat =
          userName === null || !has(PAGES.chat)
            ? null
            : `${PAGES.chat}?chat=${encodeURIComponent(userName)}`;
        // Who has no list of employees talks to them.
        const to = hasEmployees ? `${PAGES.employees}?row=${id}` : chat;
        const detail = [department, position].filter(Boolean).join(" · ");
        return to === null ? [] : [found("employee", { id, title: name, detail, to, chat })];
      });
    },
  };
  const departments: SearchSource = {
    group: "department",
    async ask(word) {
      const rows = await rest.call({ call: "departments.tree" });
      const byId = new Map(rows.map((row) => [row.id, row]));
      /** The names of the departments above, from the top. */
      const above = (id: string | null): readonly string[] => {
        const row = id === null ? undefined : byId.get(id);
        return row === undefined ? [] : [...above(row.parentId), row.name];
      };
      return rows
        .filter(({ name }) => name.toLowerCase().includes(word))
        .slice(0, MOST)
        .map(({ id, name, parentId }) =>
          found("department", {
            id,
            title: name,
            detail: above(parentId).join(" / "),
            to: has(PAGES.departments)
              ? `${PAGES.departments}?name=${encodeURIComponent(name)}`
              : `${PAGES.employees}?departmentId=${id}`,
          }),
        );
    },
  };
  const dictionaries: SearchSource = {
    group: "dictionary",
    async ask(word) {
      const page = { limit: MOST, searchCount: false };
      const answers = await Promise.all([
        rest.call({ call: "dict.types", query: { ...page, dictName: word } }),
        ...(/^\w+$/.test(word)
          ? [rest.call({ call: "dict.types", query: { ...page, dictType: word } })]
          : []),
      ]);
      const rows = new Map(answers.flatMap(({ records }) => records).map((row) => [row.id, row]));
      return [...rows.values()].slice(0, MOST).map(({ id, dictName, dictType }) =>
        found("dictionary", {
          id,
          title: dictName,
          detail: dictType,
          to: `/dict/type/data/${id}`,
        }),
      );
    },
  };
  const conferences: SearchSource = {
    group: "conference",
    async ask(word) {
      const { conferences: open } = await rest.call({ call: "conferences.open" });
      const digits = word.replaceAll(/[\s-]/g, "");
      return open
        .filter(
          ({ confrId, name }) =>
            name.toLowerCase().includes(word) || (digits !== "" && confrId.includes(digits)),
        )
        .slice(0, MOST)
        .map(({ confrId, name, members }) =>
          found("conference", {
            id: confrId,
            title: name,
            detail: `${showMeetingNumber(confrId)} · ${needs.people(members)}`,
            to: `${PAGES.conferences}?id=${confrId}`,
          }),
        );
    },
  };
  const bulletins: SearchSource = {
    group: "bulletin",
    async ask(word) {
      const query = { keyword: word, limit: MOST, searchCount: false };
      const { records } = await rest.call({ call: "bulletins.top", query });
      return records.map(({ noticeId, noticeTitle, createBy, publishTime }) =>
        found("bulletin", {
          id: noticeId,
          title: noticeTitle,
          detail: `${createBy} · ${publishTime.slice(0, 10)}`,
          to: null,
        }),
      );
    },
  };

  return [
    ...(isStaff ? [employees] : []),
    ...(may("departments.tree") && (has(PAGES.departments) || hasEmployees) ? [departments] : []),
    ...(may("dict.types") && has(PAGES.dictionaries) ? [dictionaries] : []),
    ...(has(PAGES.conferences) ? [conferences] : []),
    ...(isStaff ? [bulletins] : []),
  ];
}

/** Whether what was chosen before can be opened by this person now: its page is among theirs. */
export function mayOpen(one: Found, { has, may, isStaff }: Omit<SearchNeeds, "rest">): boolean {
  if (one.to === null) return isStaff;
  if (one.external) return true;
  const path = one.to.split(/[?#]/, 1)[0] ?? "";
  return one.group === "dictionary" ? may("dict.types") && has(PAGES.dictionaries) : has(path);
}
