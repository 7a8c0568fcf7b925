/** The token service of the Agora engine over REST (docs/calls.md#agora-engine). */
import type { Hono } from "hono";
import { rtcTokenPath, rtcTokenQuerySchema } from "../../../shared/protocol/rest/rtc.ts";
import type { HttpEnv, ServerDeps } from "../../base/module.ts";
import { authenticate, bearer } from "../tickets/provider.ts";
import { signAgoraToken } from "./agora-tokens.ts";
import type { Channels } from "./channels.ts";

export function registerAgoraRoute(
  app: Hono<HttpEnv>,
  deps: Pick<ServerDeps, "config" | "clock" | "directory"> & {
    readonly channels: Channels;
    /** Whether the person may enter the group call of this number; null when no such call goes on. */
    readonly mayEnterCall: (channel: string, chatUserName: string) => Promise<boolean | null>;
    /** Whether the account may request one more token now. */
    readonly admit: (accountId: string) => boolean;
  },
): void {
  const { config, clock, directory, channels } = deps;
  const { AGORA_APP_ID: appId, AGORA_APP_CERTIFICATE: certificate } = config;

  app.get(rtcTokenPath, async (c) => {
    c.header("cache-control", "no-store");
    const refuse = (status: 400 | 401 | 403 | 404 | 429, code: string, msg: string) =>
      c.json({ code, msg }, status);
    const principal = await authenticate(directory, bearer(c) ?? "");
    if (principal === null) return refuse(401, "RES_401", "登录已过期，请重新登录");
    const { chatUserName } = principal;
    const query = rtcTokenQuerySchema.safeParse(c.req.query());
    if (!query.success || query.data.userAccount !== chatUserName) {
      return refuse(400, "RES_ERROR", "请求内容不正确");
    }
    // Not 200: a client that waits for a token would read the answer as a broken token.
    if (appId === undefined) {
      return refuse(404, "RES_NOT_CONFIGURED", "未配置声网 (AGORA_APP_ID)，不能签发视频令牌");
    }
    if (certificate === undefined) {
      const msg = "未配置声网证书 (AGORA_APP_CERTIFICATE)，请把网关地址指向令牌服务";
      return refuse(404, "RES_NOT_CONFIGURED", msg);
    }
    if (!deps.admit(principal.accountId)) {
      return refuse(429, "RES_ERROR", "操作过于频繁，请稍后再试");
    }
    const { channelName } = query.data;
    const now = clock.now();
    const mayJoin =
      (await deps.mayEnterCall(channelName, chatUserName)) ??
      (await channels.mayJoin(channelName, chatUserName, now));
    if (!mayJoin) {
      return refuse(403, "RES_403", "通话不存在或无权进入");
    }
    return c.json(signAgoraToken({ appId, certificate }, channelName, chatUserName, now));
  });
}
