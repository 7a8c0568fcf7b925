import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Who may make a call that takes a token: guest (a member without a role), staff, company admin, operations, in this order; +
 * is answered and - is refused. Every call refuses callers without a valid token (but a logout accepts an expired one), and
 * callers that name a company in the supplier-id header of which they are not members. A module may have its rows beside its tests
 * (src/server/who-may.harness.ts).
 */
const ROWS: Readonly<Record<string, string>> = {
  "auth.logout": "++++",
  "auth.account": "++++",
  "employees.memberships": "++++",
  "employees.dimissionList": "--+-",
  "employees.get": "--+-",
  "employees.create": "--+-",
  "employees.createMany": "--+-",
  "employees.delete": "--+-",
  "employees.update": "--+-",
  "employees.updateV3": "--+-",
  "employees.dimission": "--+-",
  "employees.dimissionOld": "--+-",
  "employees.reinstate": "--+-",
  "employees.bindAccount": "--+-",
  "employees.query": "--+-",
  "employees.advancedFiltering": "--+-",
  "employees.invite": "--+-",
  "employees.applies": "++++",
  "employees.export": "--+-",
  "menus.routers": "++++",
  "menus.roleMenus": "-+++",
  "menus.saveRoleMenus": "--+-",
  "dict.list": "--+-",
  "dict.export": "--+-",
  "dict.byType": "++++",
  "dict.datas": "++++",
  "dict.get": "--+-",
  "dict.create": "--+-",
  "dict.update": "--+-",
  "dict.delete": "--+-",
  "im.accountUser": "++++",
  "im.userByName": "++++",
  "im.contacts": "++++",
  "im.departments": "++++",
  "files.upload": "-+++",
  "files.uploadFinish": "-+++",
  "files.download": "-+++",
  "im.groups": "++++",
  "im.groupCreate": "++++",
  "im.groupDelete": "++++",
  "im.groupUsers": "++++",
  "im.groupUserAdd": "++++",
  "im.groupUserDelete": "++++",
  "im.groupUpdate": "++++",
  "im.groupRequests": "++++",
  "im.publicGroups": "++++",
  "im.userById": "++++",
  "im.friendAdd": "++++",
  "im.friendInfo": "++++",
  "im.friendRemove": "++++",
  "im.friendDelete": "++++",
  "im.friends": "++++",
  "im.friendRequests": "++++",
  "registration.applies": "++++",
  "imports.create": "--+-",
  "imports.chunk": "--+-",
  "imports.cancel": "--+-",
  "imports.get": "--+-",
  "imports.list": "--+-",
  "imports.refusals": "--+-",
  "imports.invitations": "--+-",
  "imports.taken": "--+-",
  "imports.context": "--+-",
};

/** The rows of every test of the server: `whoMay({ … })`. */
function besideTests(): [id: string, row: string][] {
  const folder = fileURLToPath(new URL("../../src/server", import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/\bwhoMay\(\{([^}]*)\}/g)].flatMap(
        ([, rows = ""]) =>
          [...rows.matchAll(/"([\w.]+)":\s*"([+-]*)"/g)].map(
            ([, id = "", row = ""]): [string, string] => [id, row],
          ),
      ),
    );
}

/** @throws Error for a call with two rows */
export function readMatrix(): Readonly<Record<string, string>> {
  const matrix = new Map(Object.entries(ROWS));
  for (const [id, row] of besideTests()) {
    if (matrix.has(id)) throw new Error(`${id} has two rows`);
    matrix.set(id, row);
  }
  return Object.fromEntries(matrix);
}
