/** The calls about where alerts of a company are sent (docs/server.md#sending-alerts). */
import { randomUUID } from "node:crypto";
import { alertCalls } from "../../../shared/protocol/rest/alerts.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import {
  channelToTest,
  createChannel,
  deleteChannel,
  keepTest,
  listChannels,
  updateChannel,
} from "./channel-store.ts";
import type { Sending } from "./sending/index.ts";
import { errorWords } from "./sending/send.ts";

/** The calls of channels. index.ts starts and stops the sending together with the evaluation. */
export function createAlertChannelsModule(
  deps: Pick<ServerDeps, "tenants" | "directory" | "clock" | "config">,
  sending: Pick<Sending, "sendOnce" | "hasMail">,
): ServerModule {
  const { clock, config, tenants } = deps;
  const rules = { mail: sending.hasMail, hosts: config.ALERT_HOSTS };
  const inCompany = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>) =>
    tenants.run(requireSupplier(principal), principal, work);
  return {
    name: "alert-channels",
    routes(app) {
      route(app, alertCalls.alertChannelList, deps, async ({ query, principal }) => ({
        ...(await inCompany(principal, (scope) => listChannels(scope, query))),
        mail: rules.mail,
      }));
      route(app, alertCalls.alertChannelCreate, deps, ({ body, principal }) =>
        inCompany(principal, (scope) => createChannel(scope, body, rules)),
      );
      route(app, alertCalls.alertChannelUpdate, deps, ({ body, principal }) =>
        inCompany(principal, (scope) => updateChannel(scope, body, rules)),
      );
      route(app, alertCalls.alertChannelDelete, deps, async ({ params, principal }) => {
        await inCompany(principal, (scope) => deleteChannel(scope, params.id));
        return null;
      });
      route(app, alertCalls.alertChannelTest, deps, async ({ params: { id }, principal }) => {
        const channel = await inCompany(principal, (scope) => channelToTest(scope, id));
        // Outside of the transaction, because the other side may be slow.
        const error = await sending
          .sendOnce(channel, { event: "test" }, { companyName: "", key: randomUUID() })
          .then(() => "", errorWords);
        await inCompany(principal, (scope) => keepTest(scope, id, { at: clock.now(), error }));
        return { success: error === "", error };
      });
    },
  };
}
