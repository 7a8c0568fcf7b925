/** Rows that the dialogs of the people pages are about, made by the calls that people's work makes. */
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { type Ask, callerOf, records, type Reply } from "./rest-caller.ts";

/** Names of what is made, and of what the demo has, as the table of dialogs names them. */
export const MADE = {
  department: "设备设施运行维护中心",
  /** An employee without an account. */
  free: "欧阳建国",
  /** Somebody who left. */
  former: "诸葛明",
  ownField: "特种作业操作证编号",
  company: "远航消防设施工程技术有限公司",
  lockedCompany: "江北机电设备安装有限公司",
  invited: "13900001111",
  applicant: "求职者",
} as const;

const given = <T = unknown>({ status, data }: Reply): T => {
  if (status !== 200) throw new Error(`a call for a row was answered with ${status}`);
  return data as T;
};
const at = (path: string, id: string): string => path.replace(/\{\w+\}/, id);

interface Founder {
  readonly company: string;
  readonly mobile: string;
  readonly username: string;
}

/** A company registers; the demo shows its code. */
async function register(ask: Ask, { company, mobile, username }: Founder): Promise<string> {
  const { requestKey } = given<{ requestKey?: string }>(
    await ask("POST", restCalls.sendSms.path, { mobile }),
  );
  const [sent] = records<{ text: string }>(
    await ask("GET", `${restCalls.smsOutbox.path}?keyword=${mobile}`),
  );
  const smsCode = /\d{6}/.exec(sent?.text ?? "")?.[0] ?? "";
  const body = {
    supplierName: company,
    creditCode: username === "sailing" ? "91350100M000100Y43" : undefined,
    contact: "钱远航",
    mobile,
    smsCode,
    requestKey,
    username,
    password: "Secret2026",
  };
  return given<{ applyId: string }>(await ask("POST", restCalls.register.path, body)).applyId;
}

/** @param url of the server, which has the demo's few rows */
export async function addPeopleRows(url: string): Promise<void> {
  const ask = await callerOf(url, "admin");
  // A login that can be ended.
  await callerOf(url, "lina");
  const { id: departmentId } = given<{ id: string }>(
    await ask("POST", restCalls.departmentCreate.path, { parentId: null, name: MADE.department }),
  );
  const employ = async (name: string): Promise<string> => {
    const body = { name, departmentId, position: "中央空调与电梯运行主管", hireDate: "2024-03-01" };
    return given<{ id: string }>(await ask("POST", restCalls.employeeCreate.path, body)).id;
  };
  await employ(MADE.free);
  const id = await employ(MADE.former);
  given(await ask("PUT", restCalls.employeeDimission.path, { id, reason: "合同到期，回原籍工作" }));
  const [guest] = records<{ id: string }>(
    await ask("GET", `${restCalls.employeeList.path}?keyword=${encodeURIComponent("访客")}`),
  );
  given(await ask("PUT", at(restCalls.accountState.path, guest?.id ?? ""), { enabled: false }));
  given(await ask("POST", restCalls.ownFieldCreate.path, { label: MADE.ownField, type: "text" }));
  given(
    await ask("POST", restCalls.invitationByMobile.path, { mobiles: [MADE.invited], departmentId }),
  );
  await register(ask, { company: MADE.company, mobile: "13800005671", username: "sailing" });
  const applyId = await register(ask, {
    company: MADE.lockedCompany,
    mobile: "13800005672",
    username: "northside",
  });
  given(await ask("PUT", at(restCalls.decideApply.path, applyId), { status: "approved" }));
  const [locked] = records<{ id: string }>(
    await ask(
      "GET",
      `${restCalls.companies.path}?keyword=${encodeURIComponent(MADE.lockedCompany)}`,
    ),
  );
  const reason = "营业执照已过期，请更换后联系平台";
  given(
    await ask("PUT", at(restCalls.lockCompany.path, locked?.id ?? ""), { locked: true, reason }),
  );
}
