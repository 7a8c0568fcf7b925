/** Sets up tests of the employee calls. */
import { expect } from "vitest";
import { idNumberCheckSign } from "../../../shared/domain/validate.ts";
import {
  type EmployeeDetail,
  type RestCall,
  restCalls,
} from "../../../shared/protocol/rest/index.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import type { SmsSink } from "../sms/index.ts";

interface Options {
  readonly as?: string;
  readonly in?: string;
  readonly json?: unknown;
}
type Answer = Awaited<ReturnType<TestPlatform["ask"]>>;
export type EmployeesWorld = Awaited<ReturnType<typeof startEmployees>>;

/** Status of an answer, and what it says of each field. */
export const fieldsOf = (answer: Answer) => [answer.status, answer.body.details?.["fields"]];
export const page = (answer: Answer) =>
  answer.body.data as { records: EmployeeDetail[]; total: number };

/** A platform whose second company has three fields of its own. Calls are made as admin of company 1 unless the options say otherwise. */
export async function startEmployees(sms?: SmsSink) {
  const host = await startTestPlatform(sms === undefined ? {} : { sms });
  const tokens: Record<string, string> = {};
  for (const name of ["admin", "lina", "wangfang", "guest"]) {
    tokens[name] = (await host.login(name)).access_token;
  }
  await host.platform.database.pool.query(
    `INSERT INTO company_fields (company_id, key, label, type, dict_type, required, sort) VALUES
      (2, 'grade', '等级', 'number', NULL, false, 1), (2, 'trained', '培训日期', 'date', NULL, false, 2),
      (2, 'school', '学历', 'dict', 'education', false, 3)`,
  );
  let serial = 0;

  const ask = (call: RestCall, { as = "admin", in: company = "1", json }: Options = {}, id = "") =>
    host.ask(call.method, call.path.replace("{id}", id), {
      token: tokens[as] ?? "",
      ...(company === "" ? {} : { supplierId: company }),
      ...(json === undefined
        ? call.method === "GET" || call.method === "DELETE"
          ? {}
          : { json: {} }
        : { json }),
    });
  const create = async (json: object, company = "1"): Promise<EmployeeDetail> => {
    const answer = await ask(restCalls.employeeCreate, { json, in: company });
    expect(answer.body.msg).toBe("操作成功");
    return answer.body.data as EmployeeDetail;
  };
  /** An id card number that no other employee of the test has. */
  const idNumber = (birthday = "19900101"): string => {
    serial += 1;
    const head = `340104${birthday}${String(serial).padStart(3, "0")}`;
    return head + idNumberCheckSign(head);
  };
  return { host, tokens, ask, create, idNumber };
}
