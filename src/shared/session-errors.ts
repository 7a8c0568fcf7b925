/** Errors of the login: tokens, companies, rights (docs/session.md). */
import { entry } from "./error-entry.ts";

export const sessionErrors = {
  "auth.required": entry(401, "请先登录"),
  "auth.expired": entry(401, "登录已过期，请重新登录", false),
  "auth.invalid-credentials": entry(400, "用户名或密码错误"),
  "auth.code-required": entry(400, "请输入两步验证码"),
  "auth.code-wrong": entry(400, "验证码不正确或已使用"),
  "auth.invalid-client": entry(400, "系统名称不正确"),
  "auth.refresh-refused": entry(401, "登录已失效，请重新登录", false),
  "auth.signed-out": entry(401, "您在此设备的登录已被结束，请重新登录"),
  "auth.dismissed": entry(401, "您已离开企业，登录已结束；如有疑问，请联系企业管理员"),
  "auth.company-locked": entry(401, "企业已被平台锁定，登录已结束"),
  "auth.account-disabled": entry(401, "您的账号已停用，登录已结束；如有疑问，请联系企业管理员"),
  "auth.locked": entry(429, "登录失败次数过多，请稍后再试", true),
  "auth.company-changed": entry(409, "企业已切换，刚才的操作没有执行，请在当前企业中重新操作"),
  "auth.forbidden": entry(403, "没有权限进行此操作"),
  "auth.info-failed": entry(400, "获取用户信息出错，请刷新重试", true),
  "auth.no-roles": entry(403, "当前登录用户没有使用权限"),
} as const;
