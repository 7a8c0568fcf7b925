/** The provider's REST calls about the person's own entry there (docs/chat.md#provider-calls). */
import type { Context, Hono } from "hono";
import { z } from "zod";
import { hasNoNul } from "../../../../shared/protocol/rest/call.ts";
import type { CallParts } from "./contacts-rest.ts";
import type { Hub } from "../delivery/hub.ts";
import { body, type Env } from "./provider-app.ts";
import { groupKey } from "../wire/records.ts";
import type { ConversationSettings } from "../conversations/settings.ts";

const text = z.string().max(512).refine(hasNoNul, "contains NUL");
/** Either of: the name in notices of other kits, a push token, whether a group is silent. */
const ownBody = z.union([
  z.object({ entities: z.array(z.record(z.string(), z.boolean())).length(1) }),
  z.object({ device_id: text, device_token: text, notifier_name: text }),
  z.object({ nickname: text.max(100) }),
]);
const SILENT = /^notification_ignore_(\d{1,20})$/;

export function addUserCalls(
  app: Hono<Env>,
  deps: CallParts & {
    readonly hub: Pick<Hub, "resources">;
    readonly settings: Pick<ConversationSettings, "silence">;
  },
): void {
  const { answer, self } = deps;
  app.put("/users/:me", async (c: Context<Env>) => {
    const userName = self(c);
    const given = await body(c, ownBody);
    if ("entities" in given) {
      for (const [key, on] of Object.entries(given.entities[0] ?? {})) {
        const id = SILENT.exec(key)?.[1];
        if (id === undefined) continue;
        const who = { userName, resource: c.req.query("resource") ?? "" };
        await deps.settings.silence(who, groupKey(id), { remind: on ? "NONE" : null });
      }
      return answer(c, { entities: given.entities });
    }
    // The server sends no push, and the name of a person is the platform's: both are taken and not kept.
    return answer(c, { entities: [{ username: userName, ...given }] });
  });
  app.get("/users/:me/resources", (c) =>
    answer(c, { data: deps.hub.resources(self(c)).map((res) => ({ res })) }),
  );
}
