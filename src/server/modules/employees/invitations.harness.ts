/** For tests of invitations: a platform whose SMS arrive in a map, links, and the form behind them. */
import { expect } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import {
  ask,
  createJob,
  FIELDS,
  keyOf,
  people,
  sendChunk,
  toChunk,
} from "../imports/chunks.harness.ts";
import { keepsCodes } from "../sms/sms.harness.ts";
import { type EmployeesWorld, page, startEmployees } from "./employees.harness.ts";

export interface InvitationsWorld extends EmployeesWorld {
  /** The last code by mobile number. */
  readonly sent: ReadonlyMap<string, string>;
  /** The path of the last link that an SMS had, by mobile number, and whether SMS with links fail. */
  readonly links: ReadonlyMap<string, string>;
  readonly service: { fails: boolean };
  invite(
    json?: object,
    options?: { as?: string; in?: string },
  ): Promise<{ link: string; expiresAt: string }>;
  post(link: string, fields: Record<string, string>): Promise<Response>;
  /** Asks for a code as the form does, and reads it where the SMS would arrive. */
  withCode<T extends { readonly mobile: string }>(
    link: string,
    person: T,
  ): Promise<T & { smsCode: string }>;
  /** Fields of somebody whom nobody knows. */
  newPerson(
    username: string,
  ): Record<"name" | "mobile" | "username" | "password" | "again", string>;
  employeesNamed(keyword: string, company?: string): Promise<ReturnType<typeof page>["records"]>;
  /** Imports one person and returns the invitation that the import made. @param phone an empty text: the file has none */
  importPerson(phone: string): Promise<{ employeeId: string; link: string }>;
  query<R extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<R[]>;
  roleId(code: string, company?: number): Promise<string>;
  /** Codes of the roles that the account has in the first company. */
  rolesOf(username: string): Promise<string[]>;
}

export async function startInvitations(): Promise<InvitationsWorld> {
  const { sent, sms } = keepsCodes();
  const links = new Map<string, string>();
  const service = { fails: false };
  const world = await startEmployees({
    ...sms,
    invite: (mobile, { link }) => {
      if (service.fails) return Promise.reject(new Error("no service"));
      links.set(mobile, new URL(link).pathname);
      return Promise.resolve();
    },
  });
  const query = async <R extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await world.host.platform.database.pool.query<R>(text, values)).rows;
  let serial = 0;
  let imports = 0;
  const post: InvitationsWorld["post"] = (link, fields) =>
    fetch(world.host.origin + link, { method: "POST", body: new URLSearchParams(fields) });
  return {
    ...world,
    sent,
    links,
    service,
    post,
    async invite(json = {}, options = {}) {
      const answer = await world.ask(restCalls.inviteEmployee, { json, ...options });
      return answer.body.data as { link: string; expiresAt: string };
    },
    newPerson: (username) => ({
      name: "<b>新人",
      mobile: `1390000${String((serial += 1)).padStart(4, "0")}`,
      username,
      password: "Join2026x",
      again: "Join2026x",
    }),
    async withCode(link, person) {
      const asked = await post(link, { ...person, act: "code" });
      expect([asked.status, (await asked.text()).includes("验证码已发送")]).toEqual([200, true]);
      return { ...person, smsCode: sent.get(person.mobile) ?? "" };
    },
    employeesNamed: async (keyword, company = "1") =>
      page(await world.ask(restCalls.querySupplierEmployees, { json: { keyword }, in: company }))
        .records,
    async importPerson(phone) {
      imports += 1;
      const [person = {}] = people(1, 500_000 + imports);
      const sender = { platform: world.host, token: world.tokens["admin"] ?? "", supplierId: "1" };
      const job = (await createJob(sender, keyOf(imports), 1, { isInvite: true })).data;
      await sendChunk(sender, job.id, 0, toChunk([{ ...person, phone }], FIELDS));
      const { data } = await ask<{ records: { employeeId: string; link: string }[] }>(
        sender,
        restCalls.importInvitations,
        { id: job.id },
      );
      const [made] = data.records;
      if (made === undefined) throw new Error("the import made no invitation");
      return made;
    },
    query,
    async roleId(code, company = 1) {
      const [row] = await query<{ id: string }>(
        "SELECT id::text FROM roles WHERE company_id = $1 AND code = $2",
        [company, code],
      );
      return row?.id ?? "";
    },
    async rolesOf(username) {
      const rows = await query<{ code: string }>(
        `SELECT r.code FROM account_roles ar JOIN roles r ON r.id = ar.role_id JOIN accounts a ON a.id = ar.account_id
         WHERE a.username = $1 AND r.company_id = 1 ORDER BY r.code`,
        [username],
      );
      return rows.map(({ code }) => code);
    },
  };
}
