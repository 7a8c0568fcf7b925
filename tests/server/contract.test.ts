/**
 * Every REST call of the platform: each is served, and each is proved by contract tests (see covers.harness.ts). The table is written
 * by hand, so that the test notices a call that nobody declared.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as rest from "../../src/shared/protocol/rest/index.ts";
import type { RestCall } from "../../src/shared/protocol/rest/index.ts";
import { ID_FIELD } from "./cast.ts";
import type { Covered } from "../../src/server/covers.harness.ts";
import { schemaOf } from "./generate.ts";

const SUPPLIER = "/scm-supplier/api";
const CHAT = "/dc-im/api";
const SPEC: readonly string[] = [
  // auth and account
  "POST /uaa/login/username",
  "GET /uaa/api/account",
  "POST /uaa/logout",
  "POST /uaa/refreshToken",
  "POST /uaa/api/resetPassword",
  "POST /scm-supplier/api/open/info/create",
  "POST /dc-message/api/register/mobile/sendSms",
  "GET /umc-rbac/api/versionControllerApplys",
  // menus and roles
  "POST /umc-rbac/api/v3/roleMenu/getRouters",
  "GET /umc-rbac/api/roleMenus",
  "POST /umc-rbac/api/v3/saveRoleMenuBatch",
  // dictionary and config
  "GET /umc-rbac/api/dict/data/list",
  "GET /umc-rbac/api/dict/data/{id}",
  "DELETE /umc-rbac/api/dict/data/{id}",
  "GET /umc-rbac/api/dict/data/type/{type}",
  "POST /umc-rbac/api/dict/data",
  "PUT /umc-rbac/api/dict/data",
  "GET /umc-rbac/api/dict/data/export",
  "GET /sys-admin/api/dictDatas",
  "GET /system/config/list",
  "GET /system/config/{id}",
  "DELETE /system/config/{id}",
  "POST /system/config",
  "PUT /system/config",
  "DELETE /system/config/refreshCache",
  "GET /system/config/export",
  "GET /umc-rbac/api/dept/configKey/{key}",
  // employees
  `GET ${SUPPLIER}/sec/employees/list`,
  `GET ${SUPPLIER}/sec/employees/dimission`,
  `GET ${SUPPLIER}/sec/employees`,
  `POST ${SUPPLIER}/sec/employee`,
  `POST ${SUPPLIER}/sec/employees`,
  `GET ${SUPPLIER}/sec/employee/{id}`,
  `DELETE ${SUPPLIER}/sec/employee/{id}`,
  `PUT ${SUPPLIER}/sec/employee`,
  `PUT ${SUPPLIER}/sec/dimissionEmployee`,
  `PUT ${SUPPLIER}/v3/sec/update`,
  `PUT ${SUPPLIER}/sec/employee/dimission`,
  `PUT ${SUPPLIER}/employee/bindAccount`,
  `POST ${SUPPLIER}/sec/querySupplierEmployees`,
  `POST ${SUPPLIER}/sec/inviteEmployee/qr`,
  `POST ${SUPPLIER}/sec/employees/advancedfilteringNew`,
  `POST ${SUPPLIER}/spinauguraldocumentsList`,
  `GET ${SUPPLIER}/spinauguraldocumentssOwn`,
  `POST ${SUPPLIER}/sec/getExcelByJson2/{a}/{b}`,
  // upload and download
  "POST /common/upload",
  "GET /umc-rbac/common/download",
  // chat, own server
  `GET ${CHAT}/groups`,
  `POST ${CHAT}/group`,
  `DELETE ${CHAT}/group/{id}`,
  `GET ${CHAT}/groupUsers`,
  `POST ${CHAT}/groupUser`,
  `POST ${CHAT}/groupUser/delete`,
  `GET ${CHAT}/user/hx/{id}`,
  `GET ${CHAT}/user/hx/accountId`,
  `GET ${CHAT}/user/hx/userName`,
  `GET ${CHAT}/friend/hx/page`,
  `POST ${CHAT}/friend/hx/create/userName`,
  `POST ${CHAT}/friend/hx/userName/delete`,
  `DELETE ${CHAT}/friend/hx/{id}`,
];

/** Calls of §7 whose paths are not shown, as the spec describes them, and the call that serves each. */
const UNSHOWN: Readonly<Record<string, string>> = {
  "menu call with roleIds, a tree in data": "menus.routers",
  "chat account lookup by systemName, accountId, source": "im.accountUser",
  "chat user lookup by userName and source": "im.userByName",
  "contact list by keyword, source, userId": "im.contacts",
};

/** Calls that are not served yet, and why. The test fails as soon as one of them is served. */
const PENDING: Readonly<Record<string, string>> = {};

/** Kinds of proof that make no sense for a call, and why. */
const NOT_MEANT: Readonly<Record<string, Partial<Record<Covered, string>>>> = {};

const CALLS: readonly RestCall[] = Object.values(rest.restCalls);
const shape = (line: string): string => line.replaceAll(/\{\w+\}/g, "{}");
const served = new Map(CALLS.map((call) => [shape(`${call.method} ${call.path}`), call]));

/** Names of the fields that a call reads. */
function fieldsOf(call: RestCall): string[] {
  const names = (schema: unknown): string[] =>
    typeof schema !== "object" || schema === null
      ? []
      : Object.entries(schema).flatMap(([key, inner]) => [
          ...(key === "properties" ? Object.keys(inner as object) : []),
          ...names(inner),
        ]);
  return [call.params, call.query, call.body].flatMap((part) => names(schemaOf(part)));
}

/** The kinds of proof that a call needs. */
function needed(call: RestCall): Covered[] {
  const fields = fieldsOf(call);
  const kinds: Covered[] = ["success"];
  if (fields.length > 0 || call.bodyType === "multipart") kinds.push("invalid");
  if (call.auth !== "none") kinds.push("refused");
  const company = call.access?.company === "required" || call.access?.permissions !== undefined;
  if (call.auth === "bearer" && (company || fields.some((field) => ID_FIELD.test(field))))
    kinds.push("foreign");
  return kinds.filter((kind) => NOT_MEANT[call.id]?.[kind] === undefined);
}

/** `covers(…)` of every test of the server: call id and kind. */
function covered(): Set<string> {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const files = ["src/server", "tests/server"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(root, folder, name)),
  );
  const found = new Set<string>();
  for (const file of files) {
    const source = readFileSync(file, "utf8");
    for (const [, given = "", kinds = ""] of source.matchAll(
      /\bcovers\(\s*(\[[^\]]*\]|[\w.]+)\s*,\s*(\[[^\]]*\]|"\w+")/g,
    )) {
      // A list of calls may be a constant of the file.
      const calls = given.startsWith("[")
        ? given
        : (source.match(new RegExp(`const ${given}\\b[^=]*= (\\[[^\\]]*\\])`))?.[1] ?? given);
      for (const name of calls.match(/[\w.]+/g) ?? []) {
        const last = name.split(".").at(-1) ?? "";
        const call = { ...rest, ...rest.restCalls }[last as keyof typeof rest.restCalls] as
          | RestCall
          | undefined;
        if (call?.id === undefined) throw new Error(`${file}: covers(${name}) names no call`);
        for (const kind of kinds.match(/\w+/g) ?? []) found.add(`${call.id} ${kind}`);
      }
    }
  }
  return found;
}

describe("The REST contract", () => {
  it("has sixty calls with a path of our own server", () => {
    expect(SPEC).toHaveLength(new Set(SPEC.map(shape)).size);
    expect(SPEC).toHaveLength(60);
  });

  it("Every call is served, except those listed as pending", () => {
    const missing = SPEC.filter((line) => !served.has(shape(line)));
    expect(missing.sort()).toEqual(Object.keys(PENDING).sort());
  });

  it("Calls without a path in the specification are served as well", () => {
    const ids = CALLS.map((call) => call.id);
    expect(Object.values(UNSHOWN).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("The video provider's token has its path and format", () => {
    expect(rest.rtcTokenPath).toMatch(/^\/token\/rtcToken\//);
    expect(Object.keys(rest.rtcTokenQuerySchema.shape)).toEqual([
      "userAccount",
      "channelName",
      "appkey",
    ]);
  });

  it("Every call has its contract tests", () => {
    const proofs = covered();
    const lacking = CALLS.flatMap((call) =>
      needed(call)
        .filter((kind) => !proofs.has(`${call.id} ${kind}`))
        .map((kind) => `${call.id} ${kind}`),
    );
    expect(lacking).toEqual([]);
  });

  it("Exceptions name existing calls and kinds that are really missing", () => {
    const ids = CALLS.map((call) => call.id);
    const proofs = covered();
    for (const [id, kinds] of Object.entries(NOT_MEANT)) {
      expect(ids).toContain(id);
      for (const kind of Object.keys(kinds))
        expect(proofs.has(`${id} ${kind}`), `${id} ${kind}`).toBe(false);
    }
  });
});
