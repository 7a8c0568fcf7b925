/** What the page behind an invitation link shows (docs/server.md#invitations): the form, that somebody joined, or why it does not open. */
import type { AppError } from "../../../shared/errors.ts";
import { z } from "../../../shared/zod.ts";
import { answersPart, text } from "./invite-answers.ts";
import {
  errorText,
  type InviteText,
  type Language,
  refusalText,
  type Words,
  wordsOf,
} from "./invite-texts.ts";
import { type Invitation, masked, WHY_CLOSED } from "./invites.ts";

interface FieldLook {
  readonly attributes: string;
  /** Shown before the first try. */
  readonly rules?: InviteText;
  readonly max?: number;
}
const PERSON = {
  name: { attributes: 'autocomplete="name" required' },
  mobile: { attributes: 'type="tel" inputmode="numeric" autocomplete="tel" required' },
  smsCode: { attributes: 'inputmode="numeric" autocomplete="one-time-code" required' },
} as const satisfies Record<string, FieldLook>;
const USERNAME = 'autocomplete="username" autocapitalize="none" spellcheck="false"';
/** Of a new account, and of one that exists. */
const NEW: Readonly<Record<"username" | "password" | "again", FieldLook>> = {
  username: { attributes: USERNAME, rules: "usernameRules" },
  password: { attributes: 'type="password" autocomplete="new-password"', rules: "passwordRules" },
  again: { attributes: 'type="password" autocomplete="new-password"' },
};
const LOGIN: Readonly<Record<"username" | "password" | "code", FieldLook>> = {
  username: { attributes: `${USERNAME} required` },
  password: { attributes: 'type="password" autocomplete="current-password" required', max: 200 },
  code: { attributes: 'inputmode="numeric" autocomplete="one-time-code"' },
};
type Key = keyof typeof PERSON | keyof typeof NEW | keyof typeof LOGIN;
export const INVITE_KEYS: readonly Key[] = [
  "name",
  "mobile",
  "smsCode",
  "username",
  "password",
  "again",
  "code",
];
/** What is never sent back, but typed again. */
const SECRET: readonly Key[] = ["password", "again", "code"];
/** With the key of the request for the code, which the form carries along. */
export type InviteValues = Record<Key | "requestKey", string> & {
  /** Answers to the fields that the company requires, by their keys. */
  readonly more: Readonly<Record<string, string>>;
};

/** What the page looks like to this person. */
export interface InviteLook {
  readonly language: Language;
  /** Whether the person sets up an account, or logs in with one. */
  readonly as: "new" | "login";
}

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
const timeIn = (language: Language, at: Date): string =>
  new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", {
    timeZone: "Asia/Shanghai",
    dateStyle: "long",
    timeStyle: "short",
  }).format(at);

const page = (
  language: Language,
  title: string,
  brand: string,
  body: string,
): string => `<!doctype html>
<html lang="${language === "zh" ? "zh-CN" : "en"}">
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
<header class="brand"><p class="platform">${LOGO}<span>${wordsOf(language)("platform")}</span></p>${brand}</header>
<main>
${body}
</main>
</body>
</html>
`;

const defaultBrand = (words: Words): string =>
  `<div class="lead"><strong>${words("brand")}</strong></div>`;

/** The page again in the other language. */
const otherLanguage = (language: Language): string => {
  const other = language === "zh" ? "en" : "zh";
  return `<p class="switch"><a href="?lang=${other}" lang="${other === "zh" ? "zh-CN" : "en"}">${wordsOf(language)("other")}</a></p>`;
};

/** Who invites, as what, and until when. */
function leadOf(
  { company, department, position, expiresAt, mobile }: Invitation,
  language: Language,
): string {
  const words = wordsOf(language);
  const job = [department, position].flatMap((part) => part ?? []).join(" · ");
  const at = `<time datetime="${expiresAt.toISOString()}">${timeIn(language, expiresAt)}</time>`;
  return `<div class="lead"><p>${words("invites")}</p><strong>${text(company)}</strong><ul>${
    job === "" ? "" : `<li>${text(job)}</li>`
  }<li>${words("until", { at })}</li>${
    mobile === null ? "" : `<li>${words("onlyFor", { mobile: masked(mobile) })}</li>`
  }</ul></div>`;
}

/**
 * @param wrong what is wrong with a field, by its name
 * @param said what stands above the form: that something is done, or why it failed
 */
export function formPage(
  invitation: Invitation,
  { language, as }: InviteLook,
  values: InviteValues,
  wrong: Readonly<Record<string, string>>,
  said: { readonly done?: string; readonly failed?: string } = {},
): string {
  const { done = "", failed = "" } = said;
  const words = wordsOf(language);
  const field = (key: Key, { attributes, rules, max = 72 }: FieldLook, beside = ""): string => {
    const error = wrong[key];
    const notes = [
      ...(rules === undefined ? [] : [["rules", "rules", words(rules)] as const]),
      ...(error === undefined ? [] : [["wrong", "wrong", refusalText(language, error)] as const]),
    ];
    const ids = notes.map(([id]) => `${key}-${id}`).join(" ");
    const described =
      (ids === "" ? "" : ` aria-describedby="${ids}"`) +
      (error === undefined ? "" : ' aria-invalid="true"');
    const below = notes
      .map(([id, look, note]) => `<span class="${look}" id="${key}-${id}">${text(note)}</span>`)
      .join("");
    const value = SECRET.includes(key) ? "" : text(values[key]);
    const input = `<input id="${key}" name="${key}" value="${value}" maxlength="${max}" ${attributes}${described}>`;
    return `<div class="field"><label for="${key}">${words(key)}</label><div class="input">${input}${beside}</div>${below}</div>`;
  };
  const sendCode = `<button name="act" value="code" class="second" formnovalidate data-busy="${words("sending")}">${words("sendCode")}</button>`;
  const { approval } = invitation;
  const title = words(approval ? "applyTitle" : "joinTitle", { company: invitation.company });
  const join = words(approval ? "apply" : "join");
  const busy = words(approval ? "applying" : "joining");
  const hint = {
    new: words(approval ? "applyHint" : "joinHint"),
    login: words(approval ? "applyLoginHint" : "joinLoginHint"),
  }[as];
  // Without a second factor nobody is asked for its code.
  const wantsCode = wrong["code"] !== undefined;
  const account = {
    new: () =>
      `${field("username", NEW.username)}${field("password", NEW.password)}${field("again", NEW.again)}`,
    login: () =>
      `${field("username", LOGIN.username)}${field("password", LOGIN.password)}${wantsCode ? field("code", LOGIN.code) : ""}`,
  }[as]();
  const [otherWay, otherWords] =
    as === "new" ? (["login", "toLogin"] as const) : (["new", "toNew"] as const);
  const other = language === "zh" ? "en" : "zh";
  // The Enter key presses the first button of a form, which is not the one of the code.
  return page(
    language,
    title,
    leadOf(invitation, language),
    `<form method="post" action="?lang=${language}">
<input type="hidden" name="requestKey" value="${text(values.requestKey)}">
<input type="hidden" name="as" value="${as}">
<button name="act" value="join" class="first" tabindex="-1" aria-hidden="true" data-busy="${busy}">${join}</button>
<p class="switch"><button name="act" value="${other}" class="plain" formnovalidate lang="${other === "zh" ? "zh-CN" : "en"}">${words("other")}</button></p>
<h1>${text(title)}</h1>
<p class="hint">${hint}</p>
${done === "" ? "" : `<p class="said" role="status">${text(done)}</p>`}${
      failed === "" ? "" : `<p class="said bad" role="alert">${text(failed)}</p>`
    }
<fieldset><legend><span aria-hidden="true">1</span>${words("stepMobile")}</legend>${field("name", PERSON.name)}${field("mobile", PERSON.mobile, sendCode)}${field("smsCode", PERSON.smsCode)}</fieldset>
<fieldset><legend><span aria-hidden="true">2</span>${words(as === "new" ? "stepNew" : "stepLogin")}</legend>
<p class="hint">${words(as === "new" ? "newHint" : "loginHint")}</p>
${account}
<button name="act" value="${otherWay}" class="plain" formnovalidate>${words(otherWords)}</button></fieldset>
${answersPart(invitation.asks, values.more, wrong, language)}<button name="act" value="join" data-busy="${busy}">${join}</button></form>`,
  );
}

/** @param applied whether the company decides first */
export function joinedPage(
  invitation: Invitation,
  { language }: InviteLook,
  username: string,
  applied: boolean,
): string {
  const words = wordsOf(language);
  const title = words(applied ? "applied" : "joined", { company: invitation.company });
  const user = `<strong translate="no">${text(username)}</strong>`;
  return page(
    language,
    title,
    leadOf(invitation, language),
    `<div class="state">${icon(applied ? "expired" : "joined")}<h1>${text(title)}</h1>
<p role="status">${words(applied ? "appliedHint" : "joinedHint", { user })}</p>
<a class="button" href="../login">${words("goLogin")}</a>
${applied ? `<a class="plain" href="../nextPage?states">${words("goStates")}</a>` : ""}</div>`,
  );
}

const CLOSED = {
  locked: { shape: "wrong", title: "lockedTitle", hint: "lockedHint" },
  used: { shape: "used", title: "usedTitle", hint: "usedHint" },
  expired: { shape: "expired", title: "expiredTitle", hint: "expiredHint" },
  revoked: { shape: "wrong", title: "revokedTitle", hint: "revokedHint" },
  bound: { shape: "used", title: "overTitle", hint: "boundHint" },
  left: { shape: "wrong", title: "overTitle", hint: "leftHint" },
  gone: { shape: "wrong", title: "overTitle", hint: "leftHint" },
  wrong: { shape: "wrong", title: "wrongTitle", hint: "wrongHint" },
  failed: { shape: "wrong", title: "failedTitle", hint: "failedHint" },
} as const satisfies Record<string, Record<"title" | "hint", InviteText> & { shape: string }>;

const whySchema = z.enum(WHY_CLOSED);

function closedState({ code, details }: AppError): keyof typeof CLOSED {
  if (code === "request.not-found") return "wrong";
  const why = whySchema.safeParse(details?.["why"]);
  return why.success ? why.data : "failed";
}

/** @param error request.not-found, invite.closed with the reason in `details.why`, or any other failure */
export function closedPage(error: AppError, language: Language): string {
  const words = wordsOf(language);
  const state = closedState(error);
  const { shape, title, hint } = CLOSED[state];
  const message = state === "wrong" ? "" : `<p>${text(errorText(language, error))}</p>`;
  const login =
    state === "used" || state === "bound" || state === "revoked"
      ? `<a class="button second" href="../login">${words("goLogin")}</a>`
      : "";
  return page(
    language,
    words(title),
    defaultBrand(words),
    `${otherLanguage(language)}<div class="state">${icon(shape)}<div role="alert"><h1>${words(title)}</h1>
${message}</div><p class="hint">${words(hint)}</p>
${login}</div>`,
  );
}
