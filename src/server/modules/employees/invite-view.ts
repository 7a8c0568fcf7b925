/** What the page behind an invitation link shows (docs/server.md#invitations): the form, that somebody joined, or why it does not open. */
import type { AppError } from "../../../shared/errors.ts";
import { z } from "../../../shared/zod.ts";
import { type Invitation, WHY_CLOSED } from "./invites.ts";

const SIGNS: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const text = (value: string): string => value.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? "");

const FIELDS = {
  name: { label: "姓名", attributes: 'autocomplete="name" required' },
  mobile: {
    label: "手机号",
    attributes: 'type="tel" inputmode="numeric" autocomplete="tel" required',
  },
  smsCode: {
    label: "短信验证码",
    attributes: 'inputmode="numeric" autocomplete="one-time-code" required',
  },
  username: { label: "用户名", attributes: 'autocomplete="username" autocapitalize="none"' },
  password: { label: "密码", attributes: 'type="password" autocomplete="new-password"' },
  again: { label: "确认密码", attributes: 'type="password" autocomplete="new-password"' },
} as const;
type Key = keyof typeof FIELDS;
export const INVITE_KEYS = Object.keys(FIELDS) as Key[];
/** With the key of the request for the code, which the form carries along. */
export type InviteValues = Record<Key | "requestKey", string>;

const PLATFORM = "城市综合安全服务平台";
const LOGO =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><path class="shield" d="M16 2 4 6.5v8.8C4 22.4 9.1 28 16 30c6.9-2 12-7.6 12-14.7V6.5z"/><path class="house" d="M10 22v-7l4-2.6V22zm5.4 0V9.6L22 13v9z"/></svg>';
const SHAPES = {
  used: '<path d="M8 21h32v21H8zM15 21v-6a9 9 0 0 1 18 0v6M24 28v7"/>',
  expired: '<circle cx="24" cy="24" r="18"/><path d="M24 13v12l8 5"/>',
  wrong: '<circle cx="24" cy="24" r="18"/><path d="M24 14v13m0 5v3"/>',
  joined: '<circle cx="24" cy="24" r="18"/><path d="m15 25 6 6 12-13"/>',
} as const;
const icon = (shape: keyof typeof SHAPES): string =>
  `<span class="icon" data-shape="${shape}"><svg viewBox="0 0 48 48" aria-hidden="true">${SHAPES[shape]}</svg></span>`;

/** Anybody anywhere may open the link, and the page knows no zone of theirs, so it names the one of the platform. */
const TIME = new Intl.DateTimeFormat("zh-CN", {
  timeZone: "Asia/Shanghai",
  dateStyle: "long",
  timeStyle: "short",
});

const page = (title: string, brand: string, body: string): string => `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${text(title)}</title>
<link rel="stylesheet" href="style.css">
<script src="page.js" defer></script>
</head>
<body>
<header class="brand"><p class="platform">${LOGO}<span>${PLATFORM}</span></p>${brand}</header>
<main>
${body}
</main>
</body>
</html>
`;

const DEFAULT_BRAND = `<div class="lead"><strong>员工邀请</strong></div>`;

/** Who invites, as what, and until when. */
function leadOf({ company, department, position, expiresAt }: Invitation): string {
  const job = [department, position].flatMap((part) => part ?? []).join(" · ");
  const until = `<li>邀请有效期至 <time datetime="${expiresAt.toISOString()}">${TIME.format(expiresAt)}（北京时间）</time></li>`;
  return `<div class="lead"><p>邀请您加入</p><strong>${text(company)}</strong><ul>${
    job === "" ? "" : `<li>${text(job)}</li>`
  }${until}</ul></div>`;
}

/**
 * @param wrong what is wrong with a field, by its name
 * @param said what stands above the form: that something is done, or why it failed
 */
export function formPage(
  invitation: Invitation,
  values: InviteValues,
  wrong: Readonly<Record<string, string>>,
  said: { readonly done?: string; readonly failed?: string } = {},
): string {
  const { done = "", failed = "" } = said;
  const field = (key: Key, beside = ""): string => {
    const { label, attributes } = FIELDS[key];
    const error = wrong[key];
    const note =
      error === undefined ? "" : `<span class="wrong" id="${key}-wrong">${text(error)}</span>`;
    const described =
      error === undefined ? "" : ` aria-invalid="true" aria-describedby="${key}-wrong"`;
    // A password is typed again rather than sent back.
    const value = key === "password" || key === "again" ? "" : text(values[key]);
    const input = `<input id="${key}" name="${key}" value="${value}" maxlength="72" ${attributes}${described}>`;
    return `<div class="field"><label for="${key}">${label}</label><div class="input">${input}${beside}</div>${note}</div>`;
  };
  const code = `<button name="act" value="code" class="second" formnovalidate data-busy="正在发送…">获取验证码</button>`;
  const { approval } = invitation;
  const title = `${approval ? "申请加入" : "加入"}${invitation.company}`;
  const [join, busy] = approval ? ["提交申请", "正在提交…"] : ["加入", "正在加入…"];
  // The Enter key presses the first button of a form, which is not the one of the code.
  return page(
    title,
    leadOf(invitation),
    `<h1>${text(title)}</h1>
<p class="hint">${
      invitation.approval
        ? "验证手机号，设置登录账号，然后由企业审批您的加入申请。"
        : "验证手机号，设置登录账号，即可使用控制台。"
    }</p>
${done === "" ? "" : `<p class="said" role="status">${text(done)}</p>`}${
      failed === "" ? "" : `<p class="said bad" role="alert">${text(failed)}</p>`
    }
<form method="post">
<input type="hidden" name="requestKey" value="${text(values.requestKey)}">
<button name="act" value="join" class="first" tabindex="-1" aria-hidden="true" data-busy="${busy}">${join}</button>
<fieldset><legend><span aria-hidden="true">1</span>验证手机号</legend>${field("name")}${field("mobile", code)}${field("smsCode")}</fieldset>
<fieldset><legend><span aria-hidden="true">2</span>设置登录账号</legend>
<p class="hint">手机号已有账号时，以下三项不用填写，加入后用原账号登录。</p>
${field("username")}${field("password")}${field("again")}</fieldset>
<button name="act" value="join" data-busy="${busy}">${join}</button></form>`,
  );
}

/** @param applied whether the company decides first */
export function joinedPage(invitation: Invitation, username: string, applied: boolean): string {
  const title = `${applied ? "已申请加入" : "已加入"}${invitation.company}`;
  const user = `<strong translate="no">${text(username)}</strong>`;
  return page(
    title,
    leadOf(invitation),
    `<div class="state">${icon(applied ? "expired" : "joined")}<h1>${text(title)}</h1>
<p role="status">您的用户名是 ${user}，${applied ? "企业处理后即可使用；登录控制台可以查看结果。" : "请用它登录控制台。"}</p>
<a class="button" href="../login">去登录</a></div>`,
  );
}

const CLOSED = {
  used: { shape: "used", title: "邀请已被使用", hint: "如果是您本人加入的，请直接登录。" },
  expired: { shape: "expired", title: "邀请已过期", hint: "每个邀请只在有效期内可以使用。" },
  revoked: { shape: "wrong", title: "邀请已撤回", hint: "如果您已经加入，请直接登录。" },
  bound: { shape: "used", title: "邀请不能再使用", hint: "如果您已有账号，请直接登录。" },
  left: { shape: "wrong", title: "邀请不能再使用", hint: "每个导入邀请只供一位在职员工使用。" },
  gone: { shape: "wrong", title: "邀请不能再使用", hint: "每个导入邀请只供一位在职员工使用。" },
  wrong: {
    shape: "wrong",
    title: "邀请链接不正确",
    hint: "请检查链接是否完整，或向企业索取新的邀请链接。",
  },
  failed: { shape: "wrong", title: "邀请暂时无法打开", hint: "邀请没有失效，请稍后再打开一次。" },
} as const;

const whySchema = z.enum(WHY_CLOSED);

function closedState({ code, details }: AppError): keyof typeof CLOSED {
  if (code === "request.not-found") return "wrong";
  const why = whySchema.safeParse(details?.["why"]);
  return why.success ? why.data : "failed";
}

/** @param error request.not-found, invite.closed with the reason in `details.why`, or any other failure */
export function closedPage(error: AppError): string {
  const state = closedState(error);
  const { shape, title, hint } = CLOSED[state];
  const message = state === "wrong" ? "" : `<p>${text(error.message)}</p>`;
  const login =
    state === "used" || state === "bound" || state === "revoked"
      ? `<a class="button second" href="../login">去登录</a>`
      : "";
  return page(
    title,
    DEFAULT_BRAND,
    `<div class="state">${icon(shape)}<div role="alert"><h1>${title}</h1>
${message}</div><p class="hint">${hint}</p>
${login}</div>`,
  );
}
