/** Records of all kinds whose texts are hostile (hostile.ts), made by REST on a server of the demo data. */
import { expect } from "@playwright/test";
import { unfitSign } from "../../src/shared/domain/text-marks.ts";
import { HOSTILE, hostileUpTo, MARKUP } from "./hostile.ts";
import { shownTextsOf } from "./free-texts.ts";
import { PASSWORD } from "./people.ts";
import { type Ask, caller, callerOf, records } from "./rest-caller.ts";
import { restLogin } from "./rest-login.ts";
import { USUAL_CALLS, usualBody } from "./usual-calls.ts";

/** The name of what has one name alone: 李娜, her conference, the company that registers. */
export const BAD_NAME = "<img src=x onerror=ran=1>";
/** The user name of the first administrator of a company whose name is hostile. */
export const BAD_COMPANY = "hostile-company";

/** Most texts of one field that the screens show, so that the test stays short; the server's tests write all of them. */
const SOME = 10;
export const someUpTo = (length: number): string[] => {
  const all = [...new Set(hostileUpTo(length).map((text) => text.trim()))];
  const step = Math.ceil(all.length / SOME);
  return all.filter((_, i) => i % step === 0);
};
/** What each list of records shows: short, because a label has 32 characters. */
export const SHOWN_BY_LISTS: readonly string[] = someUpTo(32).slice(0, 8);
/** All texts as they are kept. */
export const KEPT: readonly string[] = [...new Set(HOSTILE.map((text) => text.trim()))];

const EMPLOYEES = "/scm-supplier/api/sec/employees";

async function makeLists(post: (path: string, json: object) => Promise<unknown>): Promise<void> {
  const departments: { id: string }[] = [];
  for (const name of someUpTo(100).filter((text) => !text.includes("/"))) {
    departments.push((await post("/system/dept", { parentId: null, name })) as { id: string });
  }
  // Control characters are refused in every text of an employee, line breaks and direction marks in names.
  const fit = KEPT.filter((text) => unfitSign(text, false) === null);
  await post(
    EMPLOYEES,
    fit.map((text, i) => ({
      name: text.length <= 50 && unfitSign(text, true) === null ? text : `人${i}`,
      position: text,
      departmentId: departments[i % departments.length]?.id,
      remark: text,
    })),
  );
  for (const usual of USUAL_CALLS) {
    const places = shownTextsOf(usual.create);
    for (const [n, text] of SHOWN_BY_LISTS.entries()) {
      const taking = places.filter(({ schema }) => schema.safeParse(text).success);
      const texts = taking.map(({ place }) => [place.replace("body.", ""), text]);
      await post(usual.create.path, { ...usualBody(usual, n), ...Object.fromEntries(texts) });
    }
  }
  for (const text of someUpTo(100)) {
    await post("/scm-supplier/api/sec/inviteEmployee/qr", { position: text });
  }
  for (const groupname of someUpTo(64)) {
    await post("/dc-im/api/group", { groupname, desc: groupname, members: ["lina"] });
  }
  await post("/scm-supplier/api/sec/imports", {
    key: "a".repeat(64),
    fileName: BAD_NAME,
    mode: "insert",
    rows: 1,
    chunks: 1,
    fields: ["name"],
  });
  await post("/system/api/errorlog", {
    errors: someUpTo(100).map((text, i) => ({
      source: "page",
      message: text,
      stack: text,
      path: text,
      build: "1",
      count: 1,
      key: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
      age: 0,
    })),
  });
  // All texts are in the contents of few bulletins.
  for (let i = 0; i < MARKUP.length; i += 40) {
    await post("/system/notice", {
      noticeTitle: KEPT[i],
      noticeType: "1",
      status: "0",
      noticeContent: `<p>内容 ${i}</p>${MARKUP.slice(i, i + 40)
        .map((text) => `<p>${text}</p>`)
        .join("")}`,
    });
  }
}

/** 李娜 has a hostile name as an employee and as a person, somebody left for a hostile reason, and the company says hostile things. */
async function renamePeople(admin: Ask, lina: Ask): Promise<void> {
  const employee = "/scm-supplier/api/sec/employee";
  const [own] = records<{ id: string }>(
    await admin("GET", `${EMPLOYEES}/list?keyword=${encodeURIComponent("李娜")}`),
  );
  const { version } = (await admin("GET", `${employee}/${own?.id}`)).data as { version: number };
  const renamed = await admin("PUT", employee, { id: own?.id, version, name: BAD_NAME });
  const own2 = await lina("PUT", "/uaa/api/profile", {
    nickname: BAD_NAME,
    introduction: BAD_NAME,
  });
  const made = (await admin("POST", employee, { name: BAD_NAME })).data as { id: string };
  const gone = await admin("PUT", `${employee}/dimission`, { id: made.id, reason: BAD_NAME });
  const profile = "/scm-supplier/api/sec/companyProfile";
  const company = (await admin("GET", profile)).data as { version: number };
  const said = await admin("PUT", profile, {
    version: company.version,
    shortName: BAD_NAME,
    contact: BAD_NAME,
    legalPerson: BAD_NAME,
    address: BAD_NAME,
    introduction: BAD_NAME,
  });
  expect([renamed, own2, gone, said].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
}

/** The name of a file that 李娜 handed in. */
export const BAD_FILE = `${BAD_NAME}.txt`;
async function handIn(url: string, lina: Ask, token: string): Promise<void> {
  const own = records<{ kindId: string; status: string }>(
    await lina("GET", "/scm-supplier/api/spinauguraldocumentssOwn?limit=1000"),
  );
  const missing = own.find(({ status }) => status === "missing");
  const form = new FormData();
  form.append("file", new Blob(["x"]), BAD_FILE);
  const answer = await fetch(`${url}/common/upload`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "supplier-id": "1" },
    body: form,
  });
  const { fileName } = (await answer.json()) as { fileName: string };
  const handed = await lina("POST", "/scm-supplier/api/sec/inauguralDocuments/own", {
    kindId: missing?.kindId,
    fileNames: [fileName],
  });
  expect(handed.status).toBe(200);
}

/** A company registers whose name and contact are hostile. */
async function registerCompany(url: string, admin: Ask): Promise<void> {
  const mobile = "13712345678";
  const anonymous = caller(url, "");
  await anonymous("POST", "/dc-message/api/register/mobile/sendSms", { mobile });
  const [sms] = records<{ text: string }>(await admin("GET", "/system/sms/outbox"));
  const made = await anonymous("POST", "/scm-supplier/api/open/info/create", {
    supplierName: BAD_NAME,
    contact: BAD_NAME,
    mobile,
    smsCode: /\d{6}/.exec(sms?.text ?? "")?.[0],
    username: BAD_COMPANY,
    password: PASSWORD,
  });
  expect(made.status).toBe(200);
}

export async function makeHostileRecords(url: string): Promise<void> {
  const admin = await callerOf(url, "admin");
  await makeLists(async (path, json) => {
    const { status, data } = await admin("POST", path, json);
    expect([path, json, status]).toEqual([path, json, 200]);
    return data;
  });
  const { grant } = await restLogin(url, "lina", PASSWORD);
  const lina = caller(url, grant.access_token);
  await renamePeople(admin, lina);
  await handIn(url, lina, grant.access_token);
  await registerCompany(url, admin);
}
