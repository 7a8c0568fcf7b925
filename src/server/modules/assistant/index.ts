/** Leads a person to the AI assistant with a token by which it knows them (docs/session.md#ai-assistant). */
import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { assistantCall } from "../../../shared/protocol/rest/assistant.ts";
import { route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";

/** Seconds for which the token is good: the browser opens the address at once. */
export const TICKET_TTL = 60;

function createAssistantModule(deps: ServerDeps): ServerModule {
  const { config, clock } = deps;
  const { AI_URL: address, AI_SECRET: secret } = config;
  return {
    name: "assistant",
    routes(app) {
      route(app, assistantCall, deps, async ({ principal }) => {
        if (address === undefined || secret === undefined) return { url: null };
        const now = Math.floor(clock.now() / 1000);
        const token = await new SignJWT({
          username: principal.username,
          supplierId: principal.supplierId,
        })
          .setProtectedHeader({ alg: "HS256", typ: "JWT" })
          .setSubject(principal.accountId)
          .setAudience(new URL(address).origin)
          .setJti(randomUUID())
          .setIssuedAt(now)
          .setExpirationTime(now + TICKET_TTL)
          .sign(new TextEncoder().encode(secret));
        const url = new URL(address);
        url.hash = new URLSearchParams({ sso_token: token }).toString();
        return { url: url.href };
      });
    },
  };
}

export const standalone: StandaloneModule = { area: "accounts", create: createAssistantModule };
