/**
 * The page behind an invitation link. Anyone with the link may open it, and it has no script. A request for JSON gets the
 * envelope, so that the console can show its own page.
 */
import type { Context, Hono } from "hono";
import { zhCN } from "zod/locales";
import { AppError } from "../../../shared/errors.ts";
import { inviteFormSchema } from "../../../shared/protocol/rest/employees.ts";
import type { HttpEnv, ServerDeps } from "../../base/module.ts";
import { errorResponse } from "../../base/http/errors.ts";
import { acceptInvitation, type Invitation, openInvitation, readToken } from "./invites.ts";

const SIGNS: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const text = (value: string): string => value.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? "");

type Values = Record<"name" | "phone" | "idNumber", string>;
const NOTHING: Values = { name: "", phone: "", idNumber: "" };
const LABELS: Values = { name: "姓名", phone: "手机号", idNumber: "身份证号" };

export function inviteRoutes(app: Hono<HttpEnv>, deps: ServerDeps): void {
  const { tenants, clock, config } = deps;
  const named = (c: Context<HttpEnv>) => {
    const token = readToken(config.APP_SECRET, c.req.param("token") ?? "");
    if (token === null) throw new AppError("request.not-found", { message: "邀请链接不正确" });
    return token;
  };
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
      const { companyId, id } = named(c);
      const invitation = await tenants.run(companyId, null, (scope) =>
        openInvitation(scope, id, new Date(clock.now())),
      );
      if (wantsJson(c)) return c.json(envelope(shown(invitation)));
      return c.html(form(invitation, NOTHING, {}));
    }),
  );

  app.post("/invite/:token", (c) =>
    answer(c, async () => {
      const { companyId, id } = named(c);
      const given = await read(c);
      const parsed = inviteFormSchema.safeParse(given, { error: zhCN().localeError });
      const now = new Date(clock.now());
      if (!parsed.success) {
        const fields: Record<string, string> = {};
        for (const issue of parsed.error.issues) fields[issue.path.join(".")] ??= issue.message;
        if (wantsJson(c)) throw new AppError("request.invalid", { details: { fields } });
        const invitation = await tenants.run(companyId, null, (scope) =>
          openInvitation(scope, id, now),
        );
        return c.html(form(invitation, given, fields), 400);
      }
      const invitation = await tenants.run(companyId, null, (scope) =>
        acceptInvitation(scope, id, parsed.data, now),
      );
      if (wantsJson(c)) return c.json(envelope(shown(invitation)));
      return c.html(
        page(
          "员工邀请",
          `<p role="status">已向${text(invitation.company)}提交申请，请等待企业确认。</p>`,
        ),
      );
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

/** Reads the three fields as texts, whatever the client sent. */
async function read(c: Context): Promise<Values> {
  const body = await c.req.text();
  let from: Record<string, unknown> = {};
  if ((c.req.header("content-type") ?? "").startsWith("application/json")) {
    try {
      from = { ...(JSON.parse(body) as object) };
    } catch {
      throw new AppError("request.invalid", { details: { fields: { body: "不是有效的 JSON" } } });
    }
  } else from = Object.fromEntries(new URLSearchParams(body));
  const one = (name: keyof Values): string => (typeof from[name] === "string" ? from[name] : "");
  return { name: one("name"), phone: one("phone"), idNumber: one("idNumber") };
}

function form(invitation: Invitation, values: Values, wrong: Record<string, string>): string {
  const { company, department, position } = invitation;
  const job = [department, position].flatMap((part) => part ?? []).join(" · ");
  const fields = (Object.keys(LABELS) as (keyof Values)[]).map((name) => {
    const error = wrong[name];
    const said =
      error === undefined ? "" : `<span class="wrong" id="${name}-wrong">${text(error)}</span>`;
    const described =
      error === undefined ? "" : ` aria-invalid="true" aria-describedby="${name}-wrong"`;
    const kind = name === "phone" ? ` type="tel" inputmode="tel"` : "";
    return `<label>${LABELS[name]} <input name="${name}" value="${text(values[name])}" maxlength="50" required${kind}${described}></label>${said}`;
  });
  return page(
    `加入${company}`,
    `<p>${text(company)}邀请您加入${job === "" ? "" : `（${text(job)}）`}。请填写本人信息，提交后由企业确认。</p>
<form method="post">${fields.join("\n")}<button>提交</button></form>`,
  );
}

const page = (title: string, body: string): string => `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(title)}</title>
<link rel="stylesheet" href="/invite/style.css">
</head>
<body><main><h1>${text(title)}</h1>
${body}
</main></body>
</html>
`;

const STYLE = `:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 26rem; padding: 1rem; font: 16px/1.6 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif; }
label { display: block; margin-top: 0.75rem; }
input { display: block; width: 100%; box-sizing: border-box; padding: 0.5rem; font: inherit; }
button { margin-top: 1rem; padding: 0.5rem 1.5rem; font: inherit; }
.wrong { color: #c42b2b; }
`;
