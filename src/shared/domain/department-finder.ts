/**
 * Finds the department that a text names: by its name, by its path or the end of its path, with the company's name in front, and
 * whatever separates the names (docs/import.md#departments). The check of an import and the server's writes use the same finder.
 */
import { asIdeographs, comparable, withoutInnerBlanks } from "./han-text.ts";
import { plain } from "./text-marks.ts";

/** Signs that separate the names of a path. A hyphen is also a part of many names, so it separates only where the name before is known. */
const SURE = /[/\\>»›→|]/;
const SLASH = /\//;
const ANY = /[/\\>»›→|\-–—]/;
/** Endings of a company's name that people leave out. */
const LEGAL = /(?:股份)?(?:有限)?(?:责任)?公司$|集团$/;

export interface KnownDepartment {
  readonly id: string;
  /** Its path, names separated by slashes. */
  readonly name: string;
}

/** A department that is not there: the department below which it would stand, and the names from there down. */
export interface MissingDepartment {
  readonly parentId: string | null;
  /** Path of the parent; "" at the top. */
  readonly parent: string;
  readonly names: readonly string[];
}

export type FoundDepartment =
  | { readonly id: string }
  /** Several departments are called so. */
  | { readonly twice: true }
  | { readonly missing: MissingDepartment };

const AMBIGUOUS = "";

/** The names of a path, tidied, without empty ones. */
const namesOf = (text: string, separator: RegExp): string[] =>
  plain(text)
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== "");
const keyOf = (names: readonly string[]): string =>
  names.map((name) => comparable(name).replace(/\s+/g, " ")).join("/");

/** @param company name of the company, which may stand in front of a path; null: unknown */
export function createDepartmentFinder(
  departments: readonly KnownDepartment[],
  company: string | null,
) {
  const names = new Map<string, string>();
  /** By whole path, and by the end of a path. */
  const whole = new Map<string, string>();
  const ends = new Map<string, string>();
  const put = (map: Map<string, string>, key: string, id: string): void => {
    const known = map.get(key);
    map.set(key, known === undefined || known === id ? id : AMBIGUOUS);
  };
  for (const { id, name } of departments) {
    const path = name.split("/");
    names.set(id, name);
    put(whole, keyOf(path), id);
    for (let from = 0; from < path.length; from += 1) {
      put(ends, keyOf(path.slice(from)), id);
    }
  }
  const companies = new Set<string>();
  if (company !== null) {
    const full = comparable(plain(company));
    for (const one of [full, full.replace(LEGAL, "")]) if (one.length > 1) companies.add(one);
  }

  const lookUp = (path: readonly string[], fromTop = false): string | undefined => {
    const key = keyOf(path);
    // A name alone may be that of a department further down, unless the company's name stands in front.
    const exact = path.length > 1 || fromTop ? whole.get(key) : undefined;
    return exact === undefined || exact === AMBIGUOUS ? ends.get(key) : exact;
  };
  /** A path as it is, then without the company's name in front. */
  const withoutCompany = (path: readonly string[]): readonly string[] =>
    path.length > 1 && companies.has(comparable(path[0] ?? "")) ? path.slice(1) : path;

  return {
    /** @param text not empty */
    find(text: string): FoundDepartment {
      const sure = namesOf(text, SURE);
      const any = namesOf(text, ANY);
      const slashed = namesOf(text, SLASH);
      const [sureBelow, anyBelow] = [withoutCompany(sure), withoutCompany(any)];
      for (const path of [slashed, sure, sureBelow, any, anyBelow]) {
        // Where nothing was taken off, the path is the same list.
        const fromTop =
          (path === sureBelow && path !== sure) || (path === anyBelow && path !== any);
        const id = lookUp(path, fromTop);
        if (id !== undefined) return id === AMBIGUOUS ? { twice: true } : { id };
      }
      // The longest beginning that is a known department is the parent of the rest.
      for (const path of [sureBelow, anyBelow]) {
        for (let count = path.length - 1; count > 0; count -= 1) {
          const id = lookUp(path.slice(0, count));
          if (id === undefined || id === AMBIGUOUS) continue;
          const parent = names.get(id) ?? "";
          return { missing: { parentId: id, parent, names: path.slice(count).map(written) } };
        }
      }
      return {
        missing: { parentId: null, parent: "", names: sureBelow.map(written) },
      };
    },
  };
}

/** What is wrong with a text that names no single department. The check of an import and the server's writes say the same. */
export function wrongDepartment(
  text: string,
  found: Exclude<FoundDepartment, { readonly id: string }>,
): string {
  if ("twice" in found) {
    return `有多个部门叫“${text}”，请写出上级部门，如“总部/${text}”`;
  }
  const { parent, names } = found.missing;
  return parent === "" ? `没有名为“${text}”的部门` : `部门“${parent}”下没有“${names.join("/")}”`;
}

/** A name as it is written down for a new department. */
function written(name: string): string {
  return withoutInnerBlanks(asIdeographs(name));
}
