/**
 * Who may make the calls of a module, written beside the module's tests, by the id of the call:
 *
 *     const MAY = whoMay({ "config.list": "--+-", "config.byKey": "-+++" });
 *
 * The signs are for a guest (a member without a role), staff, company admin and operations, in this order; + is answered and - is
 * refused. tests/server/matrix.ts reads these lines in the sources, and authorisation.test.ts makes every call as every caller.
 */
type Sign = "+" | "-";
export type May = `${Sign}${Sign}${Sign}${Sign}`;

/** The demo accounts of the four kinds, in the order of the signs. */
export const SIGNED = ["guest", "lina", "admin", "ops"] as const;

export const whoMay = <const T extends Readonly<Record<string, May>>>(rows: T): T => rows;

/** The demo accounts that a row refuses. */
export const refusedBy = (row: May): string[] => SIGNED.filter((_, column) => row[column] === "-");
