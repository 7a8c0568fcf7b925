/** The employees that a choice of people offers: the server searches among any number of them. */
import { useEffect, useState } from "react";
import type { Row } from "../../shared/protocol/rest/page-calls.ts";
import { useRead } from "./useRead.ts";

/** ms after the last key. */
const DELAY = 250;

type Employee = Row<"employees.list">;

/** The label of a person in a choice: the name and the department, because several people may have one name. */
export const employeeLabel = ({ name, department }: Pick<Employee, "name" | "department">) =>
  department === null || department === "" ? name : `${name}（${department}）`;

/** @param most people that are offered at once */
export function useEmployeeSearch(most: number): {
  readonly people: readonly Employee[];
  readonly isLoading: boolean;
  readonly search: (word: string) => void;
} {
  const [word, setWord] = useState("");
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(word.trim()), DELAY);
    return () => clearTimeout(timer);
  }, [word]);
  const { answer } = useRead(
    {
      call: "employees.list",
      query: { cursor: 1, limit: most, ...(asked === "" ? {} : { keyword: asked }) },
    },
    true,
  );
  return {
    people: answer.state === "ready" ? answer.data.records : [],
    isLoading: answer.state === "loading",
    search: setWord,
  };
}
