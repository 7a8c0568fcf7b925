/** The page of the messages that a demo would have sent (docs/server.md#sms). Its menu entry exists only while there is such a demo. */
import { sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { smsOutboxCall, smsUsageCall } from "../../../shared/protocol/rest/sms-outbox.ts";
import { isPlatform } from "../../base/database/companies.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule } from "../../base/module.ts";
import type { SmsOutbox } from "./outbox.ts";
import { smsUsage } from "./usage.ts";

const MENU = "monitor-sms-codes";

/** @param outbox null: a service sends the messages, or nobody does */
export function createSmsOutboxModule(deps: ServerDeps, outbox: SmsOutbox | null): ServerModule {
  const { db } = deps;
  return {
    name: "sms-outbox",
    async start() {
      if (outbox === null) {
        await db.execute(sql`DELETE FROM menus WHERE code = ${MENU}`);
        return;
      }
      await db.execute(sql`
        SELECT add_menu(NULL, ${MENU}, '短信验证码', 'IconMessage', '/monitor/smsCodes', 9, '{}',
          '{"titles": {"zh": "短信验证码", "en": "SMS codes"}, "platformRoles": ["admin"]}')`);
    },
    routes(app) {
      route(app, smsUsageCall, deps, async ({ principal }) => {
        const companyId = requireSupplier(principal);
        const ofPlatform =
          holds(principal, "platform:sms:list") && (await isPlatform(db, companyId));
        return smsUsage(deps, companyId, ofPlatform);
      });

      route(app, smsOutboxCall, deps, async ({ query, principal }) => {
        if (outbox === null || !(await isPlatform(db, requireSupplier(principal)))) {
          throw new AppError("request.not-found");
        }
        const { cursor, limit, searchCount, keyword = "" } = query;
        const found = outbox.messages().filter(({ mobile }) => mobile.includes(keyword));
        return {
          records: found.slice((cursor - 1) * limit, cursor * limit),
          total: searchCount ? found.length : 0,
          cursor,
          limit,
        };
      });
    },
  };
}
