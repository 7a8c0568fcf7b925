/** Web Push: rings a browser that has no tab open (docs/calls.md#web-push). */
import { ECDH } from "node:crypto";
import { AppError } from "../../../shared/errors.ts";
import {
  pushKeyCall,
  pushRefuseCall,
  pushSubscribeCall,
  pushUnsubscribeCall,
} from "../../../shared/protocol/rest/push.ts";
import { openRoute, route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule } from "../../base/module.ts";
import type { CallDoor } from "../chat/call-door.ts";
import { mayPushTo } from "./hosts.ts";
import { createPushKeys } from "./keys.ts";
import { createRings } from "./rings.ts";
import { createPushSender } from "./sender.ts";
import { createPushStore } from "./store.ts";

/** Whether bytes are a point of the curve by which pushes are encrypted. */
function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, "prime256v1", "base64url", "base64url", "compressed");
    return true;
  } catch {
    return false;
  }
}

export function createPushModule(deps: ServerDeps, calls: CallDoor): ServerModule {
  const { bus, clock, config, db, directory, log } = deps;
  const allowed = (endpoint: string): boolean => mayPushTo(endpoint, config.PUSH_ORIGINS);
  const keys = createPushKeys(db);
  const store = createPushStore(db, () => clock.now());
  const sender = createPushSender({
    keys,
    store,
    contact: config.PUSH_CONTACT,
    mayPushTo: allowed,
    log,
  });
  const rings = createRings({ calls, store, sender, directory, bus, clock, log });
  const wrong = (fields: Record<string, string>): AppError =>
    new AppError("request.invalid", { details: { fields } });

  return {
    name: "push",
    routes(app) {
      route(app, pushKeyCall, deps, async () => ({ publicKey: (await keys()).publicKey }));

      route(app, pushSubscribeCall, deps, async ({ body, principal }) => {
        const { endpoint, language } = body;
        const { p256dh, auth } = body.keys;
        if (!allowed(endpoint)) throw wrong({ endpoint: "不是已知的推送服务" });
        if (!isPoint(p256dh)) throw wrong({ "keys.p256dh": "格式有误" });
        const { accountId, sessionId } = principal;
        await store.add({ accountId, sessionId, endpoint, p256dh, auth, language });
        return null;
      });

      route(app, pushUnsubscribeCall, deps, async ({ body, principal }) => {
        await store.removeOwn(principal.accountId, body.endpoint);
        return null;
      });

      // The answer is the same for a wrong token, so that nobody can try which calls ring.
      openRoute(app, pushRefuseCall, async ({ body }) => {
        await rings.refuse(body.token);
        return null;
      });
    },
    async start() {
      await keys();
      rings.start();
    },
    stop: () => rings.stop(),
  };
}
