/** For tests of invitations: a platform whose SMS arrive in a map, links, and the form behind them. */
import { expect } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
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
}

export async function startInvitations(): Promise<InvitationsWorld> {
  const sent = new Map<string, string>();
  const links = new Map<string, string>();
  const service = { fails: false };
  const world = await startEmployees({
    send: (mobile, code) => Promise.resolve(void sent.set(mobile, code)),
    invite: (mobile, { link }) => {
      if (service.fails) return Promise.reject(new Error("no service"));
      links.set(mobile, new URL(link).pathname);
      return Promise.resolve();
    },
  });
  let serial = 0;
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
  };
}
