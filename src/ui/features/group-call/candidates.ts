/** Whom a person may choose for a group call: members of the group first, then colleagues by department. Pure. */
export interface Candidate {
  readonly userName: string;
  readonly name: string;
  readonly avatar: string;
  readonly department: string | null;
  /** A member of the group that calls. */
  readonly member: boolean;
}
export interface Section {
  /** null: the members of the group. "": people without a department. */
  readonly department: string | null;
  readonly people: readonly Candidate[];
}

interface Known {
  readonly userName: string;
  readonly name: string;
  readonly avatar?: string | undefined;
  readonly department?: string | null | undefined;
}

/**
 * @param members of the group; empty without a group
 * @param contacts as the server found them for the keyword
 * @param without chat user names that cannot be chosen
 */
export function candidatesOf(
  members: readonly Known[],
  contacts: readonly Known[],
  keyword: string,
  without: ReadonlySet<string>,
): Candidate[] {
  const word = keyword.trim().toLowerCase();
  const known = new Map(contacts.map((one) => [one.userName, one]));
  const fits = ({ name, userName }: Known): boolean =>
    word === "" || name.toLowerCase().includes(word) || userName.toLowerCase().includes(word);
  const inGroup = new Set(members.map(({ userName }) => userName));
  const all = [
    ...members
      .filter((one) => known.has(one.userName) || fits(one))
      .map((one) => ({ one, member: true })),
    ...contacts
      .filter(({ userName }) => !inGroup.has(userName))
      .map((one) => ({ one, member: false })),
  ];
  return all
    .filter(({ one }) => !without.has(one.userName))
    .map(({ one, member }) => ({
      userName: one.userName,
      name: one.name,
      avatar: one.avatar ?? "",
      department: one.department ?? known.get(one.userName)?.department ?? null,
      member,
    }));
}

/** @param department only this one; null: all. "": people without a department */
export function sectionsOf(all: readonly Candidate[], department: string | null): Section[] {
  const shown =
    department === null ? all : all.filter((one) => (one.department ?? "") === department);
  const members = shown.filter(({ member }) => member);
  const names = [...new Set(shown.filter((one) => !one.member).map((one) => one.department ?? ""))];
  // people without a department come last
  names.sort((a, b) => Number(a === "") - Number(b === "") || a.localeCompare(b, "zh"));
  return [
    ...(members.length === 0 ? [] : [{ department: null, people: members }]),
    ...names.map((name) => ({
      department: name,
      people: shown.filter((one) => !one.member && (one.department ?? "") === name),
    })),
  ];
}
