/**
 * The page behind an invitation link. Anyone with the link may open it, and it works without scripts. A request for JSON gets the
 * envelope, so that the console can show its own page.
 */
import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { en, zhCN } from "zod/locales";
import { AppError, ERROR_CATALOGUE } from "../../../shared/errors.ts";
import type { DataTag } from "../../../shared/protocol/data-tags.ts";
import { joinCodeSchema, joinSchema } from "../../../shared/protocol/rest/joining.ts";
import { z } from "../../../shared/zod.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import type { HttpEnv, ServerDeps } from "../../base/module.ts";
import { AGENT_MAX } from "../accounts/sign-ins.ts";
import { errorResponse } from "../../base/http/errors.ts";
import {
  type Invitation,
  type InviteToken,
  noteOpened,
  openInvitation,
  readToken,
  refuseNumber,
} from "./invites.ts";
import { answerName } from "./joiner-fields.ts";
import { INVITE_SCRIPT } from "./invite-script.ts";
import { INVITE_STYLE } from "./invite-style.ts";
import { errorText, type Language, languageOf, wordsOf } from "./invite-texts.ts";
import {
  closedPage,
  formPage,
  INVITE_KEYS,
  type InviteLook,
  type InviteValues,
  joinedPage,
} from "./invite-view.ts";
import { join, type JoinDeps } from "./joining.ts";

const NOTHING: InviteValues = {
  name: "",
  mobile: "",
  smsCode: "",
  requestKey: "",
  username: "",
  password: "",
  again: "",
  code: "",
  more: {},
};
/** Before the names of the fields that the company requires. */
const ANSWERS = answerName("");
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
  /** Pages of the company show it at once: who opens the page of an invitation makes no call that says what it touches. */
  const changed = async (companyId: string, tag: DataTag): Promise<void> => {
    const changes: DataChanges = { supplierId: companyId, tags: [tag], only: null, except: null };
    await deps.bus.publish(DATA_CHANGES, changes);
  };
  /** The list of invitations shows that the link arrived. */
  const notice = async ({ companyId, id }: InviteToken): Promise<void> => {
    const now = new Date(clock.now());
    const isFirst = await tenants.run(companyId, null, (scope) => noteOpened(scope, id, now));
    if (isFirst) await changed(companyId, "invitations");
  };
  const spoken = (c: Context<HttpEnv>): Language => languageOf(c.req.query("lang"));
  /** Nobody fills a form in that cannot be sent. @throws AppError server.unavailable */
  const requireSender = (): void => {
    if (deps.codes.available) return;
    throw new AppError("server.unavailable", {
      message:
        "平台还没有配置短信服务，暂时不能验证手机号。请联系企业或平台管理员，配置后再打开此链接",
    });
  };
  const answer = async (c: Context<HttpEnv>, work: () => Promise<Response>): Promise<Response> => {
    c.header("cache-control", "no-store");
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (wantsJson(c)) return errorResponse(c, error);
      return c.html(
        closedPage(error, spoken(c)),
        ERROR_CATALOGUE[error.code].http as ContentfulStatusCode,
      );
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
      const token = named(c);
      const invitation = await opened(token);
      requireSender();
      await notice(token);
      if (wantsJson(c)) return c.json(envelope(shown(invitation)));
      return c.html(formPage(invitation, { language: spoken(c), as: "new" }, NOTHING, {}));
    }),
  );

  app.post("/invite/:token", (c) =>
    answer(c, async () => {
      const token = named(c);
      const invitation = await opened(token);
      const given = await read(c);
      const look: InviteLook = { language: spoken(c), as: given.as };
      const { language } = look;
      // A button that changes only how the page looks.
      if (given.act === "zh" || given.act === "en") {
        return c.html(formPage(invitation, { ...look, language: given.act }, given.values, {}));
      }
      if (given.act === "new" || given.act === "login") {
        return c.html(formPage(invitation, { ...look, as: given.act }, given.values, {}));
      }
      try {
        if (given.act === "code") {
          const { mobile } = checked(joinCodeSchema, given.values, language);
          refuseNumber(invitation, mobile);
          const { companyId } = token;
          const asker = { address: c.var.client.key, companyId };
          const { requestKey } = await deps.codes.send(mobile, asker);
          // it counts among the SMS of the company
          await changed(companyId, "sms");
          if (wantsJson(c)) return c.json(envelope({ requestKey }));
          const values = { ...given.values, requestKey };
          return c.html(
            formPage(invitation, look, values, {}, { done: wordsOf(language)("sent") }),
          );
        }
        const joining = checked(joinSchema, { ...given.values, as: given.as }, language);
        if (!wantsJson(c) && joining.as === "new" && given.values.again !== given.values.password) {
          throw refusal({ again: wordsOf("zh")("differ") });
        }
        const { key, address } = c.var.client;
        const userAgent = (c.req.header("user-agent") ?? "").slice(0, AGENT_MAX);
        const { username, applied } = await join(deps, token, joining, { key, address, userAgent });
        if (wantsJson(c)) return c.json(envelope({ ...shown(invitation), username, applied }));
        return c.html(joinedPage(invitation, look, username, applied));
      } catch (error) {
        // A closed invitation has no form.
        if (!(error instanceof AppError) || wantsJson(c) || error.code === "invite.closed") {
          throw error;
        }
        const fields = fieldsOf(error);
        const named = [...INVITE_KEYS, ...invitation.asks.map(({ key }) => answerName(key))];
        const known = named.some((key) => fields[key] !== undefined);
        const said = known ? "" : errorText(language, error);
        return c.html(
          formPage(invitation, look, given.values, fields, { failed: said }),
          ERROR_CATALOGUE[error.code].http as ContentfulStatusCode,
        );
      }
    }),
  );
}

/** What is wrong with which field. The second factor says so by codes of its own. */
function fieldsOf(error: AppError): Record<string, string> {
  if (error.code === "auth.code-required" || error.code === "auth.code-wrong") {
    return { code: error.message };
  }
  return fieldsSchema.parse(error.details?.["fields"]);
}

const wantsJson = (c: Context): boolean =>
  (c.req.header("accept") ?? "").includes("application/json");
const envelope = (data: unknown) => ({ code: 0, msg: "操作成功", data });
const shown = ({ company, department, position, approval, expiresAt, asks }: Invitation) => ({
  company,
  department,
  position,
  approval,
  expiresAt: expiresAt.toISOString(),
  asks,
});
const refusal = (fields: Record<string, string>): AppError =>
  new AppError("request.invalid", { details: { fields } });

/** @throws AppError request.invalid that names the wrong fields */
function checked<S extends z.ZodType>(
  schema: S,
  values: InviteValues & { readonly as?: string },
  language: Language,
): z.output<S> {
  const { localeError: error } = language === "zh" ? zhCN() : en();
  const parsed = schema.safeParse(values, { error });
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join(".")] ??= issue.message;
  throw refusal(fields);
}

/** Reads the fields as texts, whatever the client sent. */
async function read(
  c: Context,
): Promise<{ values: InviteValues; act: string; as: InviteLook["as"] }> {
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
      code: one("code").trim(),
      more: Object.fromEntries(
        Object.keys(from)
          .filter((name) => name.startsWith(ANSWERS))
          .map((name) => [name.slice(ANSWERS.length), one(name).trim()]),
      ),
    },
    act: one("act"),
    as: one("as") === "login" ? "login" : "new",
  };
}
