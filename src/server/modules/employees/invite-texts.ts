/** The words of the page behind an invitation link in both languages, and those of the refusals that it shows. */
import type { AppError } from "../../../shared/errors.ts";
import { PASSWORD_RULE } from "../../../shared/domain/password-rule.ts";
import { ERROR_TEXTS_EN } from "../../../shared/error-texts-en.ts";

export type Language = "zh" | "en";

/** Chinese first, and English for a person who asks for it. */
export const languageOf = (asked: string | undefined): Language => (asked === "en" ? "en" : "zh");

const TEXTS = {
  platform: ["城市综合安全服务平台", "City safety platform"],
  other: ["English", "中文"],
  brand: ["员工邀请", "Invitation"],
  invites: ["邀请您加入", "You are invited to join"],
  until: ["邀请有效期至 {at}（北京时间）", "The invitation ends on {at} (Beijing time)"],
  onlyFor: ["仅供手机号 {mobile} 使用", "Only for the mobile number {mobile}"],
  joinTitle: ["加入{company}", "Join {company}"],
  applyTitle: ["申请加入{company}", "Apply to join {company}"],
  joinHint: [
    "验证手机号，设置登录账号，即可使用控制台。",
    "Verify your mobile number and set up a login, then you can use the console.",
  ],
  applyHint: [
    "验证手机号，设置登录账号，然后由企业审批您的加入申请。",
    "Verify your mobile number and set up a login. The company then decides about your application.",
  ],
  joinLoginHint: [
    "验证手机号，用已有账号登录，即可加入。",
    "Verify your mobile number and log in with your account to join.",
  ],
  applyLoginHint: [
    "验证手机号，用已有账号登录，然后由企业审批您的加入申请。",
    "Verify your mobile number and log in with your account. The company then decides about your application.",
  ],
  stepMobile: ["验证手机号", "Verify the mobile number"],
  stepNew: ["设置登录账号", "Set up a login"],
  stepLogin: ["登录已有账号", "Log in with your account"],
  stepDetails: ["补充资料", "Your details"],
  detailsHint: [
    "企业要求每位员工填写，仅企业可见。",
    "The company requires them of everybody. Only the company sees them.",
  ],
  choose: ["请选择", "Choose"],
  missing: ["请填写{label}", "Enter: {label}"],
  newHint: [
    "手机号已有账号时，以下三项不用填写，加入后用原账号登录。",
    "If the mobile number has an account already, leave these three empty and log in with that account afterwards.",
  ],
  loginHint: [
    "您在其他企业使用的账号；加入后可以切换企业。",
    "The account that you use in another company. After joining you can switch between the companies.",
  ],
  toLogin: ["已有账号？用已有账号登录", "Have an account? Log in with it"],
  toNew: ["没有账号？设置新账号", "No account? Set up a new one"],
  name: ["姓名", "Name"],
  mobile: ["手机号", "Mobile number"],
  smsCode: ["短信验证码", "Code by SMS"],
  username: ["用户名", "User name"],
  password: ["密码", "Password"],
  again: ["确认密码", "Password again"],
  code: ["两步验证码", "Code of the two-step verification"],
  dayRules: [
    "如 1990-01-31，也可只写数字 19900131",
    "Such as 1990-01-31, or digits alone: 19900131",
  ],
  usernameRules: [
    "3 至 32 位字母、数字、点、横线或下划线，以字母开头",
    "3 to 32 letters, digits, dots, hyphens or underscores, beginning with a letter",
  ],
  passwordRules: PASSWORD_RULE,
  sendCode: ["获取验证码", "Send the code"],
  sending: ["正在发送…", "Sending…"],
  sent: ["验证码已发送，5 分钟内有效。", "The code was sent and is valid for 5 minutes."],
  join: ["加入", "Join"],
  joining: ["正在加入…", "Joining…"],
  apply: ["提交申请", "Apply"],
  applying: ["正在提交…", "Applying…"],
  joined: ["已加入{company}", "You joined {company}"],
  applied: ["已申请加入{company}", "You applied to join {company}"],
  joinedHint: [
    "您的用户名是 {user}，请用它登录控制台。",
    "Your user name is {user}. Log in to the console with it.",
  ],
  appliedHint: [
    "您的用户名是 {user}，企业处理后即可使用。登录控制台，或用手机号查询，都可以看到结果。",
    "Your user name is {user}. It can be used once the company has decided. The console shows the decision, and so does your mobile number without a login.",
  ],
  goLogin: ["去登录", "Log in"],
  goStates: ["查询申请进度", "State of the application"],
  differ: ["两次输入的密码不一致", "The two passwords differ"],
  lockedTitle: ["企业已被锁定", "The company is locked"],
  lockedHint: [
    "平台解除锁定后，可以再次打开此链接。",
    "Open the link again once the platform has unlocked the company.",
  ],
  usedTitle: ["邀请已被使用", "The invitation was used"],
  usedHint: ["如果是您本人加入的，请直接登录。", "If it was you who joined, just log in."],
  expiredTitle: ["邀请已过期", "The invitation has expired"],
  expiredHint: ["每个邀请只在有效期内可以使用。", "An invitation can be used only until it ends."],
  revokedTitle: ["邀请已撤回", "The invitation was revoked"],
  revokedHint: ["如果您已经加入，请直接登录。", "If you have joined already, just log in."],
  overTitle: ["邀请不能再使用", "The invitation cannot be used any more"],
  boundHint: ["如果您已有账号，请直接登录。", "If you have an account, just log in."],
  leftHint: [
    "每个导入邀请只供一位在职员工使用。",
    "An invitation of an import is for one current employee.",
  ],
  wrongTitle: ["邀请链接不正确", "The link is not right"],
  wrongHint: [
    "请检查链接是否完整，或向企业索取新的邀请链接。",
    "Check whether the link is complete, or ask the company for a new one.",
  ],
  failedTitle: ["邀请暂时无法打开", "The invitation cannot be opened now"],
  failedHint: [
    "邀请没有失效，请稍后再打开一次。",
    "The invitation is still valid. Open it again later.",
  ],
} as const satisfies Record<string, readonly [string, string]>;
export type InviteText = keyof typeof TEXTS;
/** The words of one language; `{name}` in them is replaced. */
export type Words = (key: InviteText, values?: Readonly<Record<string, string>>) => string;

export const wordsOf =
  (language: Language): Words =>
  (key, values = {}) =>
    TEXTS[key][language === "zh" ? 0 : 1].replaceAll(
      /\{(\w+)\}/g,
      (whole, name: string) => values[name] ?? whole,
    );

/** Refusals by their Chinese text. The server says each in Chinese, as everywhere; this page alone shows them without the console. */
const ENGLISH: Readonly<Record<string, string>> = {
  手机号格式不正确: "This is not a mobile number",
  "验证码为 6 位数字": "The code has 6 digits",
  "密码至少 8 位": "The password needs at least 8 characters",
  "密码最多 72 位": "The password has at most 72 characters",
  密码须包含字母: "The password needs a letter",
  密码须包含数字: "The password needs a digit",
  "用户名为 3 至 32 位字母、数字、点、横线或下划线，以字母开头":
    "A user name has 3 to 32 letters, digits, dots, hyphens or underscores and begins with a letter",
  身份证号不正确: "This is not an ID card number",
  电子邮箱格式不正确: "This is not an email address",
  电话号码不正确: "This is not a phone number",
  应为数字: "This is not a number",
  日期不存在: "There is no such day",
  "应为日期 YYYY-MM-DD": "A day is written YYYY-MM-DD",
  "日期格式应为 YYYY-MM-DD": "A day is written YYYY-MM-DD",
  字典中没有这个值: "Choose one of the values",
  已有在职员工使用: "Another employee has it already",
  请填写用户名: "Enter a user name",
  请设置密码: "Choose a password",
  请填写密码: "Enter the password",
  两次输入的密码不一致: "The two passwords differ",
  用户名已被使用: "The user name is taken",
  用户名或手机号已被使用: "The user name or the mobile number is taken",
  验证码不正确或已过期: "The code is wrong or has expired",
  "验证码发送过于频繁，请稍后再试": "Codes are sent too often, try again later",
  "验证码错误次数过多，请稍后再试": "Too many wrong codes, try again later",
  "验证码发送失败，请重试": "The code could not be sent, try again",
  "短信服务未配置，请联系管理员": "SMS are not set up, ask the administrator",
  "企业今日发送的验证码已达上限，请联系企业":
    "The company has sent as many codes today as it may. Ask the company",
  该手机号的账号已是本企业员工: "The account of this mobile number belongs to the company already",
  该账号已是本企业员工: "This account belongs to the company already",
  请输入两步验证码: "Enter the code of your authenticator",
  验证码不正确或已使用: "The code is wrong or was used before",
  该手机号的账号已停用: "The account of this mobile number is disabled",
  "该手机号属于另一个账号，请用那个账号登录":
    "This mobile number belongs to another account. Log in with that one",
  "您已申请加入该企业，请等待企业处理": "You applied already. Wait for the company's decision",
  "该邀请已被使用，请联系企业重新邀请": "The invitation was used. Ask the company for a new one",
  "该邀请的名额已用完，请联系企业重新邀请":
    "As many people joined by the invitation as may. Ask the company for a new one",
  "企业已撤回该邀请，请联系企业重新邀请":
    "The company revoked the invitation. Ask it for a new one",
  "该邀请已过期，请联系企业重新邀请": "The invitation has expired. Ask the company for a new one",
  "该员工的资料已被删除，请联系企业重新邀请":
    "The record of this employee was deleted. Ask the company for a new invitation",
  "该员工已离职，请联系企业重新邀请":
    "This employee has left. Ask the company for a new invitation",
  "该员工已绑定账号，请联系企业核对": "This employee has an account already. Ask the company",
  "该企业已被平台锁定，暂时不能加入，请联系企业":
    "The platform has locked the company, so nobody can join now. Ask the company",
  "平台还没有配置短信服务，暂时不能验证手机号。请联系企业或平台管理员，配置后再打开此链接":
    "SMS are not set up, so the mobile number cannot be verified. Ask the company or the platform's administrator, and open the link afterwards",
};
const NUMBER_WANTED = /^请使用企业登记的手机号 (.+)$/;
const NUMBER_SENT = /^请使用收到邀请短信的手机号 (.+)$/;
const CHINESE = /\p{Script=Han}/u;

/**
 * A refusal of one field in the page's language.
 *
 * @param fallback stands for a text that is known in Chinese alone
 */
export function refusalText(
  language: Language,
  message: string,
  fallback = "This value is not valid",
): string {
  if (language === "zh") return message;
  const wanted = NUMBER_WANTED.exec(message)?.[1];
  if (wanted !== undefined) return `Use the mobile number that the company wrote down: ${wanted}`;
  const sent = NUMBER_SENT.exec(message)?.[1];
  if (sent !== undefined) return `Use the mobile number that got the invitation: ${sent}`;
  return ENGLISH[message] ?? (CHINESE.test(message) ? fallback : message);
}

/** A refusal as a whole in the page's language. */
export const errorText = (language: Language, { code, message }: AppError): string =>
  refusalText(language, message, ERROR_TEXTS_EN[code]);
