/**
 * The page behind an invitation link. Anyone with the link may open it, and it works without scripts. A request for JSON gets the
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
import { INVITE_SCRIPT } from "./invite-script.ts";
import { INVITE_STYLE } from "./invite-style.ts";
import { closedPage, formPage, INVITE_KEYS, type InviteValues, joinedPage } from "./invite-view.ts";
import { join, type JoinDeps } from "./joining.ts";

const NOTHING: InviteValues = {
  name: "",
  mobile: "",
  smsCode: "",
  requestKey: "",
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
      return c.html(closedPage(error), ERROR_CATALOGUE[error.code].http as ContentfulStatusCode);
    }
  };

  app.get("/invite/style.css", (c) =>
    c.body(INVITE_STYLE, 200, { "content-type": "text/css; charset=utf-8" }),
  );
  app.get("/invite/page.js", (c) =>
    c.body(INVITE_SCRIPT, 200, { "content-type": "text/javascript; charset=utf-8" }),
  );

  app.get("/invite/:token", (c) =>
    answer(c, async () => {
      const invitation = await opened(named(c));
      if (wantsJson(c)) return c.json(envelope(shown(invitation)));
      return c.html(formPage(invitation, NOTHING, {}));
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
          const { companyId } = token;
          const asker = { address: c.var.client.key, companyId };
          const { requestKey } = await deps.codes.send(mobile, asker);
          if (wantsJson(c)) return c.json(envelope({ requestKey }));
          const values = { ...given.values, requestKey };
          return c.html(formPage(invitation, values, {}, { done: "验证码已发送，5 分钟内有效。" }));
        }
        const joining = checked(joinSchema, given.values);
        if (!wantsJson(c) && given.values.again !== given.values.password) {
          throw refusal({ again: "两次输入的密码不一致" });
        }
        const { username, applied } = await join(deps, token, joining, c.var.client.key);
        if (wantsJson(c)) return c.json(envelope({ ...shown(invitation), username, applied }));
        return c.html(joinedPage(invitation, username, applied));
      } catch (error) {
        // A closed invitation has no form.
        if (!(error instanceof AppError) || wantsJson(c) || error.code === "invite.closed") {
          throw error;
        }
        const fields = fieldsSchema.parse(error.details?.["fields"]);
        const known = INVITE_KEYS.some((key) => fields[key] !== undefined);
        const said = known ? "" : error.message;
        return c.html(
          formPage(invitation, given.values, fields, { failed: said }),
          ERROR_CATALOGUE[error.code].http as ContentfulStatusCode,
        );
      }
    }),
  );
}

const wantsJson = (c: Context): boolean =>
  (c.req.header("accept") ?? "").includes("application/json");
const envelope = (data: unknown) => ({ code: 0, msg: "操作成功", data });
const shown = ({ company, department, position, approval, expiresAt }: Invitation) => ({
  company,
  department,
  position,
  approval,
  expiresAt: expiresAt.toISOString(),
});
const refusal = (fields: Record<string, string>): AppError =>
  new AppError("request.invalid", { details: { fields } });

/** @throws AppError request.invalid that names the wrong fields */
function checked<S extends z.ZodType>(schema: S, values: InviteValues): z.output<S> {
  const parsed = schema.safeParse(values, { error: zhCN().localeError });
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join(".")] ??= issue.message;
  throw refusal(fields);
}

/** Reads the fields as texts, whatever the client sent. */
async function read(c: Context): Promise<{ values: InviteValues; act: string }> {
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
      requestKey: one("requestKey"),
      username: one("username").trim(),
      password: one("password"),
      again: one("again"),
    },
    act: one("act"),
  };
}
