/**
 * The page behind an invitation link. Anyone with the link may open it, and it has no script. A request for JSON gets the
 * envelope, so that the console can show its own page.
 */
import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { zhCN } from "zod/locales";
import { AppError, ERROR_CATALOGUE } from "../../../shared/errors.ts";
import { joinCodeSchema, joinSchema } from "../../../shared/protocol/rest/joining.ts";
import { z } from "../../../shared/zod.ts";
import type { HttpEnv, ServerDeps } from "../../base/module.ts";
import { errorResponse } from "../../base/http/errors.ts";
import { type Invitation, type InviteToken, openInvitation, readToken } from "./invites.ts";
import { join, type JoinDeps } from "./joining.ts";

const SIGNS: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const text = (value: string): string => value.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? "");

const FIELDS = {
  name: { label: "姓名", attributes: 'autocomplete="name"' },
  mobile: { label: "手机号", attributes: 'type="tel" inputmode="numeric" autocomplete="tel"' },
  smsCode: {
    label: "短信验证码",
    attributes: 'inputmode="numeric" autocomplete="one-time-code"',
  },
  username: { label: "用户名", attributes: 'autocomplete="username"' },
  password: { label: "密码", attributes: 'type="password" autocomplete="new-password"' },
  again: { label: "确认密码", attributes: 'type="password" autocomplete="new-password"' },
} as const;
type Key = keyof typeof FIELDS;
const KEYS = Object.keys(FIELDS) as Key[];
type Values = Record<Key, string>;
const NOTHING: Values = {
  name: "",
  mobile: "",
  smsCode: "",
  username: "",
  password: "",
  again: "",
};
const fieldsSchema = z.record(z.string(), z.string()).catch({});

export function inviteRoutes(app: Hono<HttpEnv>, deps: ServerDeps & JoinDeps): void {
  const { tenants, clock, config } = deps;
  const named = (c: Context<HttpEnv>) => {
    const token = readToken(config.APP_SECRET, c.req.param("token") ?? "");
    if (token === null) throw new AppError("request.not-found", { message: "邀请链接不正确" });
    return token;
  };
  const opened = ({ companyId, id }: InviteToken): Promise<Invitation> =>
    tenants.run(companyId, null, (scope) => openInvitation(scope, id, new Date(clock.now())));
  const answer = async (c: Context<HttpEnv>, work: () => Promise<Response>): Promise<Response> => {
    c.header("cache-control", "no-store");
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (wantsJson(c)) return errorResponse(c, error);
      const status = error.code === "invite.closed" ? 410 : 404;
      return c.html(page("员工邀请", `<p role="alert">${text(error.message)}</p>`), status);
    }
  };

  app.get("/invite/style.css", (c) =>
    c.body(STYLE, 200, { "content-type": "text/css; charset=utf-8" }),
  );

  app.get("/invite/:token", (c) =>
    answer(c, async () => {
      const invitation = await opened(named(c));
      if (wantsJson(c)) return c.json(envelope(shown(invitation)));
      return c.html(form(invitation, NOTHING, {}));
    }),
  );

  app.post("/invite/:token", (c) =>
    answer(c, async () => {
      const token = named(c);
      const invitation = await opened(token);
      const given = await read(c);
      try {
        if (given.act === "code") {
          const { mobile } = checked(joinCodeSchema, given.values);
          await deps.codes.send(mobile, c.var.client.key);
          if (wantsJson(c)) return c.json(envelope(null));
          return c.html(form(invitation, given.values, {}, "验证码已发送，5 分钟内有效。"));
        }
        const joining = checked(joinSchema, given.values);
        if (!wantsJson(c) && given.values.again !== given.values.password) {
          throw refusal({ again: "两次输入的密码不一致" });
        }
        const { username } = await join(deps, token, joining);
        if (wantsJson(c)) return c.json(envelope({ ...shown(invitation), username }));
        return c.html(
          page(
            `已加入${invitation.company}`,
            `<p role="status">您的用户名是 <strong>${text(username)}</strong>。</p><p><a class="button" href="../login">去登录</a></p>`,
          ),
        );
      } catch (error) {
        // A closed invitation has no form.
        if (!(error instanceof AppError) || wantsJson(c) || error.code === "invite.closed") {
          throw error;
        }
        const fields = fieldsSchema.parse(error.details?.["fields"]);
        const known = KEYS.some((key) => fields[key] !== undefined);
        const said = known ? "" : error.message;
        return c.html(
          form(invitation, given.values, fields, said),
          ERROR_CATALOGUE[error.code].http as ContentfulStatusCode,
        );
      }
    }),
  );
}

const wantsJson = (c: Context): boolean =>
  (c.req.header("accept") ?? "").includes("application/json");
const envelope = (data: unknown) => ({ code: 0, msg: "操作成功", data });
const shown = ({ company, department, position, expiresAt }: Invitation) => ({
  company,
  department,
  position,
  expiresAt: expiresAt.toISOString(),
});
const refusal = (fields: Record<string, string>): AppError =>
  new AppError("request.invalid", { details: { fields } });

/** @throws AppError request.invalid that names the wrong fields */
function checked<S extends z.ZodType>(schema: S, values: Values): z.output<S> {
  const parsed = schema.safeParse(values, { error: zhCN().localeError });
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join(".")] ??= issue.message;
  throw refusal(fields);
}

/** Reads the fields as texts, whatever the client sent. */
async function read(c: Context): Promise<{ values: Values; act: string }> {
  const body = await c.req.text();
  let from: Record<string, unknown> = {};
  if ((c.req.header("content-type") ?? "").startsWith("application/json")) {
    try {
      from = { ...(JSON.parse(body) as object) };
    } catch {
      throw refusal({ body: "不是有效的 JSON" });
    }
  } else from = Object.fromEntries(new URLSearchParams(body));
  const one = (name: string): string => {
    const value = from[name];
    return typeof value === "string" ? value : "";
  };
  return {
    values: {
      name: one("name"),
      mobile: one("mobile").trim(),
      smsCode: one("smsCode").trim(),
      username: one("username").trim(),
      password: one("password"),
      again: one("again"),
    },
    act: one("act"),
  };
}

function form(
  invitation: Invitation,
  values: Values,
  wrong: Readonly<Record<string, string>>,
  said = "",
): string {
  const { company, department, position } = invitation;
  const job = [department, position].flatMap((part) => part ?? []).join(" · ");
  const field = (key: Key): string => {
    const { label, attributes } = FIELDS[key];
    const error = wrong[key];
    const note =
      error === undefined ? "" : `<span class="wrong" id="${key}-wrong">${text(error)}</span>`;
    const described =
      error === undefined ? "" : ` aria-invalid="true" aria-describedby="${key}-wrong"`;
    // A password is typed again rather than sent back.
    const value = key === "password" || key === "again" ? "" : text(values[key]);
    return `<label>${label} <input name="${key}" value="${value}" maxlength="72" ${attributes}${described}></label>${note}`;
  };
  return page(
    `加入${company}`,
    `<p>${text(company)}邀请您加入${job === "" ? "" : `（${text(job)}）`}。请验证手机号并设置登录账号。</p>
${said === "" ? "" : `<p class="said" role="status">${text(said)}</p>`}
<form method="post">${field("name")}${field("mobile")}
<button name="act" value="code" class="second">获取验证码</button>
${field("smsCode")}
<p class="hint">手机号已有账号时，以下三项不用填写，加入后用原账号登录。</p>
${field("username")}${field("password")}${field("again")}
<button name="act" value="join">加入</button></form>`,
  );
}

/** Its links are relative, so that they hold below any BASE_PATH. */
const page = (title: string, body: string): string => `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(title)}</title>
<link rel="stylesheet" href="style.css">
</head>
<body><main><h1>${text(title)}</h1>
${body}
</main></body>
</html>
`;

const STYLE = `:root { color-scheme: light dark; --ink: #1d2129; --soft: #6b7785; --line: #c9cdd4; --card: #fff; --page: #f2f3f5; --brand: #165dff; --bad: #c42b2b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e5e6eb; --soft: #a9aeb8; --line: #5a5e66; --card: #232324; --page: #17171a; --brand: #3c7eff; --bad: #f76965; } }
body { margin: 0; min-height: 100vh; font: 16px/1.6 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif; color: var(--ink); background: var(--page); }
main { box-sizing: border-box; max-width: 28rem; margin: 0 auto; padding: 1.5rem; background: var(--card); min-height: 100vh; }
@media (min-width: 30rem) { main { min-height: 0; border-radius: 8px; transform: translateY(5vh); } }
h1 { margin: 0 0 0.5rem; font-size: 1.375rem; }
label { display: block; margin-top: 0.875rem; font-weight: 500; }
input { display: block; width: 100%; box-sizing: border-box; margin-top: 0.25rem; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 4px; font: inherit; color: inherit; background: transparent; }
input[aria-invalid] { border-color: var(--bad); }
button, .button { display: block; box-sizing: border-box; width: 100%; margin-top: 1.25rem; padding: 0.5rem; border: 1px solid var(--brand); border-radius: 4px; font: inherit; text-align: center; text-decoration: none; color: #fff; background: #165dff; cursor: pointer; }
.second { margin-top: 0.75rem; color: var(--brand); background: transparent; }
:is(input, button, a):focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
.hint { margin: 1.25rem 0 0; font-size: 0.875rem; color: var(--soft); }
.said { padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 4px; }
.wrong { font-size: 0.875rem; color: var(--bad); }
`;
