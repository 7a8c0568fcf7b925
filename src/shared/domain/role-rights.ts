/** The rights of a role as a person chooses them: which permissions belong to which entry of the menus (docs/server.md#roles). Pure. */

/** Codes of the entries that the administrator's role keeps, since rights could not be given back without them. */
export const KEPT_BY_ADMIN: readonly string[] = ["system", "system-role"];

/**
 * Groups of permissions that do not bear the name of their page, with the code of the menu entry below which they are chosen. Null: their
 * buttons stand on a page that has no menu entry. All other groups bear the name of their page: `system:config` is chosen below
 * `/system/config`, `supplier:employee` below `/supplier/employees`. So a new page needs no row here.
 */
export const PERMISSION_PLACES: Readonly<Record<string, string | null>> = {
  "monitor:errorlog": "monitor-errors",
  "platform:alert": "monitor-alerts",
  "platform:apply": "monitor-applies",
  "platform:call": "monitor-calls",
  "platform:company": "monitor-companies",
  "platform:fleet": "monitor-fleet",
  "platform:sms": "monitor-sms-codes",
  "platform:task": "monitor-job",
  "supplier:document": "handed-documents",
  "system:account": "supplier-employees",
  // on the first page
  "system:demo": null,
  "system:field": "employee-fields",
  "system:twofactor": "supplier-employees",
};

/** What this file reads of a menu entry. */
interface Entry {
  readonly code: string;
  readonly uri: string;
  readonly childMenu: readonly Entry[];
}

const flat = (entries: readonly Entry[]): readonly Entry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.childMenu)]);

/** `supplier:employee:edit` is of the group `supplier:employee`. */
export const permissionGroup = (permission: string): string =>
  permission.split(":").slice(0, 2).join(":");

/**
 * @returns the code of the menu entry below which a permission is chosen; null for one that has none among the entries, as a name of an
 *   earlier program
 */
export function permissionPlaces(entries: readonly Entry[]): (permission: string) => string | null {
  const all = flat(entries);
  const codes = new Set(all.map(({ code }) => code));
  const codeAt = new Map(all.map(({ uri, code }) => [uri.replace(/^\/+/, ""), code]));
  return (permission) => {
    const group = permissionGroup(permission);
    if (Object.hasOwn(PERMISSION_PLACES, group)) {
      const place = PERMISSION_PLACES[group] ?? null;
      return place !== null && codes.has(place) ? place : null;
    }
    const [area, thing] = group.split(":");
    if (thing === undefined) return null;
    return codeAt.get(`${area}/${thing}`) ?? codeAt.get(`${area}/${thing}s`) ?? null;
  };
}
