/** Errors of the login: tokens, companies, rights (docs/session.md). */
import { entry } from "./error-entry.ts";

export const sessionErrors = {
  "auth.required": entry(401, "请先登录", "Please log in"),
  "auth.expired": entry(401, "登录已过期，请重新登录", "Your login has expired", false),
  "auth.invalid-credentials": entry(400, "用户名或密码错误", "Wrong user name or password"),
  "auth.code-required": entry(400, "请输入两步验证码", "Enter the code of your authenticator"),
  "auth.code-wrong": entry(400, "验证码不正确或已使用", "The code is wrong or was used before"),
  "auth.invalid-client": entry(400, "系统名称不正确", "Unknown system name"),
  "auth.refresh-refused": entry(
    401,
    "登录已失效，请重新登录",
    "Your login is no longer valid",
    false,
  ),
  "auth.signed-out": entry(
    401,
    "您在此设备的登录已被结束，请重新登录",
    "Your login on this device was ended, log in again",
  ),
  "auth.dismissed": entry(
    401,
    "您已离开企业，登录已结束；如有疑问，请联系企业管理员",
    "You have left the company and are logged out. Ask its administrator if this is wrong",
  ),
  "auth.account-disabled": entry(
    401,
    "您的账号已停用，登录已结束；如有疑问，请联系企业管理员",
    "Your account was disabled and you are logged out. Ask the administrator if this is wrong",
  ),
  "auth.locked": entry(
    429,
    "登录失败次数过多，请稍后再试",
    "Too many failed logins, try again later",
    true,
  ),
  "auth.company-changed": entry(
    409,
    "企业已切换，刚才的操作没有执行，请在当前企业中重新操作",
    "The company was switched, so nothing was done. Do it again in this company",
  ),
  "auth.forbidden": entry(403, "没有权限进行此操作", "You are not allowed to do this"),
  "auth.info-failed": entry(
    400,
    "获取用户信息出错，请刷新重试",
    "Fetching the user information failed, refresh and retry",
    true,
  ),
  "auth.no-roles": entry(
    403,
    "当前登录用户没有使用权限",
    "The current user has no permission to use this system",
  ),
} as const;
