/** Past calls of a person (docs/calls.md#records). */
import { CALL_TYPE } from "../../../shared/domain/call-types.ts";
import { AppError } from "../../../shared/errors.ts";
import {
  callQualityCall,
  callRecordDeleteCall,
  callRecordsCall,
  type CallReport,
  callReportCall,
} from "../../../shared/protocol/rest/call-records.ts";
import { route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { createCallRecordStore } from "./store.ts";

/** ms after which records are deleted. */
const KEPT = 365 * 24 * 3_600_000;
const PRUNE_EVERY = 24 * 3_600_000;

function createCallRecordsModule(deps: ServerDeps): ServerModule {
  const { clock, directory, log } = deps;
  const store = createCallRecordStore(deps.db);
  let timer: { cancel(): void } | null = null;

  const prune = (): void => {
    store
      .prune(new Date(clock.now() - KEPT))
      .catch((error: unknown) => log.error({ err: error }, "old call records stay"));
    timer = clock.setTimeout(prune, PRUNE_EVERY);
  };

  /**
   * The person called may have had no device that could report the call. Their list shows it as missed until a device of theirs
   * reports it. Only a call that this server let the caller make gets there.
   */
  async function recordForCallee(caller: Principal, report: CallReport): Promise<void> {
    if (report.direction !== "out" || report.result === "answered") return;
    const { chatUserName } = caller;
    if (!(await store.hasCalled(report.channel, chatUserName, report.peer))) return;
    if (!(await directory.mayTalk(chatUserName, report.peer))) return;
    const [self, callee] = await Promise.all([
      store.nameOf(chatUserName),
      directory.personByChatName(report.peer),
    ]);
    if (callee === null) return;
    await store.add({
      ...report,
      accountId: callee.accountId,
      direction: "in",
      peer: chatUserName,
      peerName: self ?? chatUserName,
      result: "missed",
      own: false,
    });
  }

  return {
    name: "call-records",
    routes(app) {
      route(app, callReportCall, deps, async ({ body, principal }) => {
        // The server records group calls itself, and a record shows who was there.
        if (body.type !== CALL_TYPE.single) {
          throw new AppError("request.invalid", { details: { fields: { type: "通话类型有误" } } });
        }
        if (body.peer === principal.chatUserName) {
          throw new AppError("request.invalid", {
            details: { fields: { peer: "不能和自己音视频通话" } },
          });
        }
        // The name of a stranger is nothing that a report may reveal.
        const known = await directory.mayTalk(principal.chatUserName, body.peer);
        const peer = known ? await directory.personByChatName(body.peer) : null;
        await store.add({
          ...body,
          accountId: principal.accountId,
          peerName: peer?.name ?? body.peer,
          own: true,
        });
        await recordForCallee(principal, body);
        return null;
      });

      route(app, callRecordsCall, deps, ({ query, principal }) =>
        store.page(principal.accountId, query),
      );

      route(app, callQualityCall, deps, async ({ params, principal }) => {
        const quality = await store.quality(principal.accountId, params.id);
        if (quality === null) throw new AppError("request.not-found");
        return quality;
      });

      route(app, callRecordDeleteCall, deps, async ({ params, principal }) => {
        const gone = await store.remove(principal, params.id.split(","));
        if (gone === 0) throw new AppError("request.not-found");
        return null;
      });
    },
    start: () => Promise.resolve(prune()),
    stop() {
      timer?.cancel();
      return Promise.resolve();
    },
  };
}

export const standalone: StandaloneModule = { area: "server", create: createCallRecordsModule };
