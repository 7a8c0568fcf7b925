import { expect, it } from "vitest";
import { contradictions } from "./contradictions.ts";

/** A man, born 1985-01-01. */
const MAN = "440709198501010017";

it.each([
  [{ idNumber: MAN, birthday: "1985-01-01", gender: "1", hireDate: "2005-01-01" }, []],
  [{ idNumber: MAN }, []],
  [{ birthday: "1990-05-05", gender: "2" }, []],
  [{ idNumber: MAN, gender: "0" }, []],
  [{ idNumber: MAN, birthday: "1990-05-05" }, ["birthday 1985-01-01"]],
  [{ idNumber: MAN, birthday: "1985-01-10" }, ["birthday 1985-01-01"]],
  [{ idNumber: MAN, gender: "2" }, ["gender 1"]],
  [{ idNumber: MAN, birthday: "1990-05-05", gender: "2" }, ["birthday 1985-01-01", "gender 1"]],
  [{ birthday: "1990-05-05", hireDate: "1990-05-04" }, ["hireDate warning"]],
  [{ birthday: "1990-05-05", hireDate: "1990-05-05" }, []],
  [{ idNumber: MAN, hireDate: "1984-12-31" }, ["hireDate warning"]],
  [{ idNumber: "", birthday: null, hireDate: "1984-12-31" }, []],
])("%j contradicts itself in %j", (person, want) => {
  expect(
    contradictions(person).map(
      ({ field, meant, warning }) => `${field} ${warning === true ? "warning" : meant}`,
    ),
  ).toEqual(want);
});
