import { AxiosError, AxiosHeaders, type InternalAxiosRequestConfig } from "axios";
import { expect, test } from "vitest";
import { z } from "../../../shared/zod.ts";
import { AppError } from "../../../shared/errors.ts";
import {
  accountCall,
  defineCall,
  downloadCall,
  employeeExportCall,
  employeeListCall,
  getRoutersCall,
  loginCall,
  registerCall,
  sendSmsCall,
  uploadCall,
} from "../../../shared/protocol/rest/index.ts";
import { createFakeEnv } from "../core.fake.ts";
import { errorOfAnswer } from "./transport.ts";
import { createHttp, createTransport, type Authority } from "./index.ts";

interface Answer {
  status?: number;
  body?: unknown;
  date?: string;
  range?: string;
}
function setUp(answer: (config: InternalAxiosRequestConfig, n: number) => Answer) {
  const env = createFakeEnv();
  const asked: InternalAxiosRequestConfig[] = [];
  const offsets: number[] = [];
  const transport = createTransport({
    baseUrl: "http://gateway",
    clock: env.clock,
    online: env.online,
    onOffset: (ms) => void offsets.push(ms),
    adapter: async (config) => {
      asked.push(config);
      const {
        status = 200,
        body = { code: 0, msg: "ok", data: null },
        date,
        range,
      } = answer(config, asked.length);
      return {
        config,
        status,
        statusText: "",
        headers: new AxiosHeaders({
          ...(date === undefined ? {} : { date }),
          ...(range === undefined ? {} : { "content-range": range }),
        }),
        data: typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body),
      };
    },
  });
  let token = "t1";
  const renewals: string[] = [];
  const verdicts: string[] = [];
  const authority: Authority = {
    accessToken: () => Promise.resolve(token),
    renewAfter401(old, error) {
      renewals.push(`${old} ${error.code}`);
      if (error.code !== "auth.expired") return Promise.resolve(false);
      token = "t2";
      return Promise.resolve(true);
    },
    accepted: () => void verdicts.push("accepted"),
    rejected: () => void verdicts.push("rejected"),
    supplierId: () => "s1",
    menuId: () => "m1",
    language: () => "en",
  };
  return {
    env,
    asked,
    offsets,
    renewals,
    verdicts,
    http: createHttp({ env, transport, authority }),
  };
}
const failure = async (run: Promise<unknown>): Promise<AppError> => {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error("expected an AppError");
  return error;
};
const page = { records: [], total: 0, cursor: 1, limit: 20 };

test("a call bears the session's headers, its query and the 120 s limit", async () => {
  const { asked, http } = setUp(() => ({ body: { code: 0, msg: "ok", data: page } }));
  expect(await http.call(employeeListCall, { query: { keyword: " 张 " } })).toEqual(page);
  const config = asked[0];
  expect(config?.timeout).toBe(120_000);
  expect(config?.baseURL).toBe("http://gateway");
  expect(config?.url).toBe("/scm-supplier/api/sec/employees/list");
  expect(config?.params).toEqual({ cursor: 1, limit: 20, searchCount: true, keyword: "张" });
  expect(config?.headers.get("Authorization")).toBe("Bearer t1");
  expect(config?.headers.get("systemName")).toBe("sec-web-company-admin");
  expect(config?.headers.get("supplier-id")).toBe("s1");
  expect(config?.headers.get("menu-id")).toBe("m1");
  expect(config?.headers.get("Accept-Language")).toBe("en");
});

test("requests that a package sends by itself get the same headers, for the company that they name", async () => {
  const { http } = setUp(() => ({ body: {} }));
  expect(await http.headers({ supplierId: "s2" })).toEqual({
    Authorization: "Bearer t1",
    systemName: "sec-web-company-admin",
    "supplier-id": "s2",
    "menu-id": "m1",
    "Accept-Language": "en",
  });
});

test("login is a form with the client's credentials and none of the session's headers", async () => {
  const grant = { access_token: "a", refresh_token: "r", iat: 1, expires_in: 2 };
  const { asked, http } = setUp(() => ({ body: { code: 0, msg: "", data: grant } }));
  const body = { username: " li ", password: "p&=", grant_type: "password" as const };
  await http.call(loginCall, { body }, { systemName: "sec-web-oa" });
  const config = asked[0];
  expect(config?.data).toBe("username=li&password=p%26%3D&grant_type=password");
  expect(config?.headers.get("Authorization")).toBe(`Basic ${btoa("oa:s")}`);
  expect(config?.headers.get("supplier-id")).toBeUndefined();
  expect(config?.headers.get("systemName")).toBeUndefined();
  expect(config?.headers.get("Accept-Language")).toBe("en");
});

test("registration and codes by SMS go without the login's headers", async () => {
  const { asked, http } = setUp(() => ({
    body: {
      code: 0,
      msg: "",
      data: { expiresIn: 300, retryAfter: 60, requestKey: "k".repeat(32) },
    },
  }));
  await http.call(sendSmsCall, { body: { mobile: "13800001234" } });
  await failure(
    http.call(registerCall, {
      body: {
        supplierName: "新星物业",
        contact: "赵六",
        mobile: "13800001234",
        smsCode: "123456",
        username: "newboss",
        password: "Secret2026",
      },
    }),
  );
  expect(asked).toHaveLength(2);
  for (const { headers } of asked) {
    for (const name of ["Authorization", "systemName", "supplier-id", "menu-id"]) {
      expect(headers.has(name), name).toBe(false);
    }
  }
});

test("path parameters are encoded; bad input names its field and asks nobody", async () => {
  const call = defineCall({
    id: "x.get",
    method: "DELETE",
    path: "/x/{id}",
    summary: "",
    auth: "bearer",
    params: z.object({ id: z.string().min(1) }),
  });
  const { asked, http } = setUp(() => ({}));
  expect(await http.call(call, { params: { id: "a/b 二" } })).toBe(null);
  expect(asked[0]?.url).toBe("/x/a%2Fb%20%E4%BA%8C");
  const error = await failure(http.call(call, { params: { id: "" } }));
  expect(error.code).toBe("request.invalid");
  expect(error.details).toEqual({ field: "params.id" });
  expect(asked).toHaveLength(1);
});

test("The server's words in English come along with those in Chinese", () => {
  const said = errorOfAnswer("x", 409, { msg: "已被使用", details: { en: "In use" } });
  expect([said.message, said.details?.["en"]]).toEqual(["已被使用", "In use"]);
  expect(errorOfAnswer("x", 409, { msg: "已被使用", details: { en: 7 } }).details?.["en"]).toBe(
    undefined,
  );
});

test.each([
  [{ details: { fields: { employeeNo: "已有在职员工使用" } } }, { employeeNo: "已有在职员工使用" }],
  [{ details: { fields: { employeeNo: 7 } } }, undefined],
  [{ details: { fields: "employeeNo" } }, undefined],
  [{}, undefined],
])("The error of an answer keeps the fields that it names: %j", async (part, fields) => {
  const { http } = setUp(() => ({ status: 409, body: { code: 1, msg: "", ...part } }));
  const error = await failure(http.call(employeeListCall));
  expect(error.code).toBe("request.conflict");
  expect(error.details?.["fields"]).toEqual(fields);
});

test.each([
  [
    400,
    { code: 1, msg: "用户名或密码错误", error: "auth.invalid-credentials" },
    "auth.invalid-credentials",
    "用户名或密码错误",
  ],
  [400, { error_description: "Bad credentials" }, "request.invalid", "Bad credentials"],
  [403, { code: 1, msg: " " }, "auth.forbidden", "没有权限进行此操作"],
  [503, "<html>", "server.unavailable", "服务暂不可用，请稍后重试"],
  [500, "", "server.internal", "服务器内部错误"],
  [418, {}, "request.invalid", "请求内容不正确"],
  [200, { code: 1, msg: "重名" }, "server.internal", "重名"],
])(
  "an answer %i %j becomes %s with the server's message first",
  async (status, body, code, message) => {
    const { http } = setUp(() => ({ status, body }));
    const error = await failure(http.call(employeeListCall));
    expect(error.code).toBe(code);
    expect(error.message).toBe(message);
    expect(error.details?.["call"]).toBe("employees.list");
  },
);

test.each([
  [200, "<!doctype html><title>网络登录</title>"],
  [200, "\n <html>"],
  [200, "Please log in"],
  [200, { error: "login to the network" }],
  [403, "<html>blocked"],
  [404, "<html>"],
  [511, "<html>"],
])(
  "what the network or a proxy answers in place of the platform says so: %i %j",
  async (status, body) => {
    const { http, verdicts, renewals } = setUp(() => ({ status, body }));
    for (const run of [
      http.call(loginCall, { body: { username: "li", password: "p", grant_type: "password" } }),
      http.call(employeeListCall),
    ]) {
      const error = await failure(run);
      expect([error.code, error.details?.["status"]]).toEqual(["network.intercepted", undefined]);
      expect(error.message).toMatch(/当前网络或代理/);
    }
    // it says nothing about the login
    expect([verdicts.includes("rejected"), renewals]).toEqual([false, []]);
  },
);

test.each([
  [401, "auth.required"],
  [413, "request.too-large"],
  [429, "request.rate-limited"],
  [500, "server.internal"],
  [502, "server.unavailable"],
])("a gateway's page with status %i keeps what the status says", async (status, code) => {
  const { http } = setUp(() => ({ status, body: "<html>" }));
  expect((await failure(http.call(employeeListCall))).code).toBe(code);
});

test("a page in place of a file is no file", async () => {
  const body = new Blob(["<html>"], { type: "text/html; charset=utf-8" });
  const { http } = setUp(() => ({ body }));
  const query = { fileName: `${"a".repeat(22)}.pdf` };
  expect((await failure(http.file(downloadCall, { query }))).code).toBe("network.intercepted");
});

test("an answer of another shape is reported with the call's id and without its data", async () => {
  const { env, http } = setUp((_, n) => ({
    body: n === 1 ? { code: 0, msg: "", data: { id: "secret", roles: 7 } } : ["no envelope"],
  }));
  expect((await failure(http.call(accountCall))).code).toBe("server.internal");
  expect((await failure(http.call(accountCall))).code).toBe("network.intercepted");
  expect(env.reports).toHaveLength(2);
  expect(env.reports[0]).toMatch(/^http: auth\.account: unexpected answer at username/);
  expect(env.reports.join()).not.toContain("secret");
});

test("a request with an expired token is retried once with the new token; another 401 is final", async () => {
  const expired = { status: 401, body: { code: 1, msg: "", error: "auth.expired" } };
  const first = setUp((config) =>
    config.headers.get("Authorization") === "Bearer t1"
      ? expired
      : { body: { code: 0, msg: "", data: page } },
  );
  expect(await first.http.call(employeeListCall)).toEqual(page);
  expect(first.asked).toHaveLength(2);
  expect(first.verdicts).toEqual(["accepted"]);

  const stubborn = setUp(() => expired);
  expect((await failure(stubborn.http.call(employeeListCall))).code).toBe("auth.expired");
  expect(stubborn.asked).toHaveLength(2);
  expect(stubborn.verdicts).toEqual(["rejected"]);

  const other = setUp(() => ({ status: 401, body: { code: 1, msg: "" } }));
  expect((await failure(other.http.call(employeeListCall))).code).toBe("auth.required");
  expect(other.asked).toHaveLength(1);
  expect(other.renewals).toEqual(["t1 auth.required"]);
});

test("no network, an unreachable server and a timeout have different errors", async () => {
  const { env, http } = setUp((config) => {
    throw new AxiosError("x", config.url?.includes("getRouters") ? "ETIMEDOUT" : "ERR_NETWORK");
  });
  expect((await failure(http.call(employeeListCall))).code).toBe("server.unavailable");
  const body = { roleIds: [], systemName: "x" };
  expect((await failure(http.call(getRoutersCall, { body }))).code).toBe("network.timeout");
  env.online.set(false);
  expect((await failure(http.call(employeeListCall))).code).toBe("network.offline");
});

test("a provider's answer has no envelope and is checked by its own schema", async () => {
  const { http, asked } = setUp(() => ({ body: { error: 0, x: 1 } }));
  const request = { method: "POST" as const, path: "/p/rtc/req/ticket", body: { a: 1 } };
  expect(await http.provider(request, z.object({ error: z.number() }))).toEqual({ error: 0 });
  expect(asked[0]?.data).toBe('{"a":1}');
  expect((await failure(http.provider(request, z.object({ y: z.string() })))).code).toBe(
    "server.internal",
  );
});

test("a provider's call may bear the token in its body as well, and the new one when it is tried again", async () => {
  const { http, asked } = setUp((_config, n) =>
    n === 1
      ? { status: 401, body: { code: 1, msg: "", error: "auth.expired" } }
      : { body: { error: 0 } },
  );
  const body = { uid: "u" };
  const request = { method: "POST", path: "/p/rtc/req/ticket", body, tokenInBody: true } as const;
  expect(await http.provider(request, z.object({ error: z.number() }))).toEqual({ error: 0 });
  expect(asked.map(({ data }) => data as string)).toEqual([
    '{"uid":"u","token":"t1"}',
    '{"uid":"u","token":"t2"}',
  ]);
});

test("a provider's call that its body authorises goes without the login, and says nothing about it", async () => {
  const { http, asked, verdicts, renewals } = setUp((_config, n) => ({
    status: n === 1 ? 200 : 401,
    body: { error: n === 1 ? 0 : -405 },
  }));
  const request = {
    method: "POST",
    path: "/p/rtc/role/degrade",
    body: { roleToken: "r" },
    withoutLogin: true,
  } as const;
  const schema = z.object({ error: z.number() });
  expect(await http.provider(request, schema)).toEqual({ error: 0 });
  expect(asked[0]?.data).toBe('{"roleToken":"r"}');
  for (const name of ["Authorization", "supplier-id", "menu-id", "systemName"]) {
    expect(asked[0]?.headers.has(name), name).toBe(false);
  }
  await failure(http.provider(request, schema));
  expect([verdicts, renewals]).toEqual([[], []]);
});

test("the server's clock offset is reported, and again when it has changed", async () => {
  let ahead = 60_000;
  const { env, http, offsets } = setUp(() => ({
    date: new Date(env.clock.now() + ahead).toUTCString(),
    body: { code: 0, msg: "", data: page },
  }));
  await http.call(employeeListCall);
  expect(Math.abs((offsets[0] ?? 0) - 60_000)).toBeLessThanOrEqual(550);
  await http.call(employeeListCall);
  expect(offsets).toHaveLength(1);
  ahead = -5_000;
  await http.call(employeeListCall);
  expect(Math.abs((offsets[1] ?? 0) + 5_000)).toBeLessThanOrEqual(550);
});

test("a call with its own token is not retried", async () => {
  const { asked, renewals, http } = setUp(() => ({
    status: 401,
    body: { code: 1, msg: "", error: "auth.expired" },
  }));
  expect((await failure(http.call(employeeListCall, {}, { token: "old" }))).code).toBe(
    "auth.expired",
  );
  expect(asked[0]?.headers.get("Authorization")).toBe("Bearer old");
  expect(asked).toHaveLength(1);
  expect(renewals).toEqual([]);
});

test("a packed body is sent unchanged, for the named company", async () => {
  const call = defineCall({
    id: "x.chunk",
    method: "POST",
    path: "/x",
    summary: "",
    auth: "bearer",
    bodyType: "gzip",
    body: z.object({ never: z.literal("looked at here") }),
  });
  const { asked, http } = setUp(() => ({}));
  // a view into a larger buffer: the rest of the buffer is not sent
  const bytes = new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4);
  await http.call(call, {}, { bytes, supplierId: "s2" });
  const config = asked[0];
  expect(config?.headers.get("Content-Type")).toBe("application/gzip");
  expect(config?.headers.get("supplier-id")).toBe("s2");
  expect([...new Uint8Array(config?.data as ArrayBuffer)]).toEqual([1, 2, 3]);
});

test("A file is answered as it is, and a refusal of a file has its code and text", async () => {
  const query = { fileName: `${"a".repeat(22)}.pdf` };
  const { http, asked } = setUp((_, n) =>
    n === 1
      ? { body: new Blob(["%PDF"]) }
      : {
          status: 404,
          body: new Blob([
            JSON.stringify({ code: 404, msg: "没有这个文件", error: "request.not-found" }),
          ]),
        },
  );
  expect(await (await http.file(downloadCall, { query })).text()).toBe("%PDF");
  expect([asked[0]?.url, asked[0]?.responseType]).toEqual([downloadCall.path, "blob"]);
  expect(asked[0]?.headers["Authorization"]).toBe("Bearer t1");
  await expect(http.file(downloadCall, { query })).rejects.toMatchObject({
    code: "request.not-found",
    message: "没有这个文件",
  });
});

test("A file of a call with a path, a query and a body is asked for with all three", async () => {
  const { http, asked } = setUp(() => ({ body: new Blob(["PK"]) }));
  const input = {
    params: { a: "employed" as const, b: "员工 列表" },
    query: { dataIds: "1,2" },
    body: { columns: [] },
  };
  expect(await (await http.file(employeeExportCall, input)).text()).toBe("PK");
  const path = `/scm-supplier/api/sec/getExcelByJson2/employed/${encodeURIComponent("员工 列表")}`;
  expect(asked[0]?.url).toBe(path);
  expect(asked[0]?.params).toEqual({ dataIds: "1,2" });
  expect(JSON.parse(asked[0]?.data as string)).toEqual({ columns: [] });
  const wrong = http.file(employeeExportCall, { ...input, query: { dataIds: "a" } });
  await expect(wrong).rejects.toMatchObject({ code: "request.invalid" });
});

test("The files of a multipart call go out as they are, with their progress, and can be cancelled", async () => {
  const controller = new AbortController();
  const { http, asked } = setUp(() => {
    controller.abort();
    throw new AxiosError("canceled", "ERR_CANCELED");
  });
  const form = new FormData();
  form.append("file", new Blob(["x"]), "a.txt");
  const sent: number[] = [];
  const call = http.call(
    uploadCall,
    {},
    {
      form,
      signal: controller.signal,
      onSent: (loaded) => void sent.push(loaded),
    },
  );
  await expect(call).rejects.toMatchObject({ code: "request.cancelled" });
  expect(asked[0]?.data).toBe(form);
  asked[0]?.onUploadProgress?.({ loaded: 7, total: 9, bytes: 7, lengthComputable: true });
  expect(sent).toEqual([7]);
});

test("A part of a file is asked for by its range, and says how large the whole is", async () => {
  const received: (number | null)[][] = [];
  const { http, asked } = setUp((config, n) => {
    config.onDownloadProgress?.({ loaded: 2, bytes: 2, lengthComputable: false } as never);
    if (n === 1) return { status: 206, body: new Blob(["ab"]), range: "bytes 4-5/9" };
    // It knows no ranges.
    if (n === 2) return { body: new Blob(["whole"]) };
    return { status: 206, body: new Blob(["ab"]), ...(n === 3 ? {} : { range: "bytes 4-5/*" }) };
  });
  const query = { fileName: `${"a".repeat(22)}.pdf` };
  const part = (from: number) =>
    http.part(
      downloadCall,
      { query },
      { from, bytes: 2 },
      { onReceived: (...given) => void received.push(given), timeout: 0, supplierId: "s2" },
    );
  const first = await part(4);
  expect([await first.blob.text(), first.size, first.whole]).toEqual(["ab", 9, false]);
  const { headers, timeout } = asked[0]!;
  expect([headers.get("Range"), headers.get("supplier-id"), timeout]).toEqual([
    "bytes=4-5",
    "s2",
    0,
  ]);
  expect(received).toEqual([[2, null]]);
  const second = await part(6);
  expect([await second.blob.text(), second.size, second.whole]).toEqual(["whole", 5, true]);
  for (let n = 0; n < 2; n += 1) {
    expect((await failure(part(4))).code, "nobody can tell where it ends").toBe("server.internal");
  }
});
