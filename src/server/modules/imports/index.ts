/**
 * Batch import of employees: jobs, chunks of rows, refused rows, and invitation links for created employees. A chunk is stored
 * once, however often it is sent. A sender may stop at any point; the answer to a chunk says whether it is stored.
 */
import { Counter } from "prom-client";
import { AppError } from "../../../shared/errors.ts";
import {
  type ImportChunk,
  type ImportChunkResult,
  IMPORT_LIMITS,
  importCancelCall,
  importChunkCall,
  importContextCall,
  importCreateCall,
  importGetCall,
  importInvitationsCall,
  importListCall,
  importRefusalsCall,
  importTakenCall,
} from "../../../shared/protocol/rest/imports.ts";
import type { Change } from "../../base/audit/index.ts";
import type { OwnMessages } from "../../base/cluster/own-messages.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import {
  type Admit,
  requireSupplier,
  route,
  type RouteInput,
  unpackedLimit,
} from "../../base/http/route.ts";
import type { RequestsInFlight } from "../../base/http/requests-in-flight.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import type { SearchIndex } from "../employees/search-index.ts";
import { ownFields } from "../field-settings/own-fields.ts";
import type { Checker } from "../employees/check.ts";
import { claimChunk, keepAnswer, toResult, tooMany } from "./answers.ts";
import { importRows, type Outcome, readChunk, type Reading, type Ways } from "./chunk.ts";
import { createEndForbidden } from "./end-forbidden.ts";
import { createGate } from "./gate.ts";
import { cancelJob, createJob, jobById, listJobs, toJob } from "./jobs.ts";
import { contextOf, inviteCreated, keepRefusals, listInvitations, listRefusals } from "./lists.ts";
import { checkShape, hasOwnFields } from "./rows.ts";
import { createOpenTurns, createTurns } from "./turns.ts";
import { createUpkeep } from "./upkeep.ts";
import { bearers, marksOf } from "./write.ts";

/** How long the invitation of an imported employee is valid, ms. */
const INVITATION_LASTS = 30 * 86_400_000;
/** Most refusals that the answer to a chunk contains. */
const TOLD = 100;
/** The search index leaves the database alone for this time after a chunk, because the next chunk probably follows. ms */
const SEARCH_WAITS = 1000;
/** Attempts for a chunk that conflicts with another writer. */
const TRIES = 4;
/** Most jobs about which something is remembered. */
const REMEMBERED = 1000;
/** unique_violation, serialization_failure, deadlock_detected: another transaction wrote the same rows. */
const MET = new Set(["23505", "40001", "40P01"]);

type By = { readonly principal: Principal };

export interface ImportsDeps extends ServerDeps {
  readonly search: Pick<SearchIndex, "defer" | "waitForSpace">;
  readonly own: Pick<OwnMessages, "onPublished">;
  readonly requests: Pick<RequestsInFlight, "doPeopleWait">;
}

export function createImportsModule(deps: ImportsDeps): ServerModule {
  const { tenants, clock, config, metrics, search, requests } = deps;
  const upkeep = createUpkeep(deps);
  const onCancelled = ({ created }: { readonly created: number }): void => upkeep.after(created);
  const endForbidden = createEndForbidden({ ...deps, onCancelled });
  const gate = createGate(clock);
  const chunkTurns =
    config.DATABASE_URL === undefined
      ? createTurns(() => tenants.isBusy() || requests.doPeopleWait())
      : createOpenTurns(requests.doPeopleWait);
  /** Enters the gate before the body is read. A body of unknown length counts as the largest one. */
  const admit: Admit = async (principal, c) => {
    const said = Number(c.req.header("content-length") ?? Number.NaN);
    const packed = Number.isFinite(said) ? said : IMPORT_LIMITS.chunkBytes;
    const bytes = unpackedLimit(importChunkCall, packed);
    try {
      const end = endForbidden.begin(principal);
      const leave = await gate
        .enter(requireSupplier(principal), bytes, c.req.raw.signal)
        .catch((error: unknown) => {
          end();
          throw error;
        });
      // The body is read, unpacked and planned while the database writes the rows of another chunk.
      const leaveTurn = await chunkTurns.enter();
      return () => {
        end();
        leaveTurn();
        leave();
      };
    } catch (error) {
      // Read the rest of the body. An earlier answer would cut the connection, and the sender would not see the retry time.
      await c.req.raw.body?.pipeTo(new WritableStream()).catch(() => undefined);
      throw error;
    }
  };
  const rowsTotal = new Counter({
    name: "import_rows_total",
    help: "Rows of batch imports that created or changed an employee",
    registers: [metrics],
  });
  const run = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>): Promise<R> =>
    tenants.run(requireSupplier(principal), principal, work);

  async function takeChunk(
    scope: CompanyScope,
    { id, index }: { readonly id: string; readonly index: number },
    chunk: ImportChunk,
    { reading, careful, onRows }: Pick<Required<Ways>, "reading" | "careful" | "onRows">,
  ): Promise<{ result: ImportChunkResult; wrote: number }> {
    endForbidden.check(scope.actor);
    const now = new Date(clock.now());
    const part = { id, index, rows: chunk.rows.length };
    const { job, before, ids } = await claimChunk(scope, part, now);
    if (before !== null) return { result: toResult(index, before, job), wrote: 0 };
    if (job.state !== "open") throw new AppError("import.closed");
    if (job.rowsDone + part.rows > job.rows) throw tooMany();
    checkShape(chunk, job.fields);
    const outcome = await importRows(scope, job, chunk, {
      reading,
      ids,
      careful,
      onRows,
      onChecker: (checker) => remember(id, checker),
    });
    if (job.isInvite) {
      const expiresAt = new Date(now.getTime() + INVITATION_LASTS);
      await inviteCreated(scope, id, outcome.created, { createdAt: now, expiresAt });
    }
    await keepRefusals(scope, id, outcome.refusals);
    const answer = {
      created: outcome.wouldCreate,
      updated: outcome.updated,
      refused: outcome.refusedRows,
      refusals: outcome.refusals.slice(0, TOLD),
    };
    const change = job.mode === "dry-run" ? null : changeOf(id, index, outcome);
    const next = await keepAnswer(scope, part, answer, change, now);
    const wrote = outcome.created.length + outcome.updated;
    return { result: toResult(index, answer, next), wrote };
  }

  /**
   * Reads and plans the chunk before its turn: on the embedded database the previous chunk is written meanwhile. The company's own
   * fields are those of the previous chunk, so that no query waits for it; the transaction compares them with the database.
   */
  async function prepare(principal: Principal, job: string, chunk: ImportChunk): Promise<Reading> {
    const checker = checkers.get(job) ?? null;
    const own = hasOwnFields(chunk) ? (checker?.own ?? (await run(principal, ownFields))) : [];
    return readChunk(chunk, own, checker);
  }
  /** Per job: what its last chunk was checked against. */
  const checkers = new Map<string, Checker>();
  const remember = (job: string, checker: Checker): void => {
    if (checkers.size >= REMEMBERED) checkers.clear();
    checkers.set(job, checker);
  };

  /**
   * Repeats the work when another writer was in the way. The failed attempt was rolled back.
   *
   * @param work receives true when numbers may be taken already
   * @throws AppError server.unavailable after TRIES attempts
   */
  async function retried<R>(job: string, work: (careful: boolean) => Promise<R>): Promise<R> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work(tries > 1 || careful.has(job));
      } catch (error) {
        if (!MET.has(codeOf(error))) throw error;
        if (tries >= TRIES) throw new AppError("server.unavailable", { cause: error });
        if (careful.size >= REMEMBERED) careful.clear();
        careful.add(job);
      }
    }
  }
  /** Jobs that met a taken number. Their next chunks probably contain more of them. */
  const careful = new Set<string>();

  return {
    name: "imports",
    start() {
      endForbidden.start();
      return Promise.resolve();
    },
    async stop() {
      await endForbidden.stop();
      await upkeep.stop();
    },
    // Fixed paths must precede those with an id.
    routes(app) {
      route(app, importListCall, deps, ({ query, principal }) =>
        run(principal, (scope) => listJobs(scope, query)),
      );
      route(app, importContextCall, deps, ({ principal }) => run(principal, contextOf));
      route(app, importTakenCall, deps, ({ body, principal }) =>
        run(principal, async (scope) => ({
          ...(body.marksAfter === undefined
            ? {}
            : { marks: await marksOf(scope, body.marksAfter) }),
          idNumbers: [...(await bearers(scope, "idNumber", body.idNumbers)).keys()],
          employeeNos: [...(await bearers(scope, "employeeNo", body.employeeNos)).keys()],
        })),
      );
      route(app, importCreateCall, deps, async ({ body, principal }) =>
        toJob(await run(principal, (scope) => createJob(scope, body, new Date(clock.now())))),
      );
      route(app, importGetCall, deps, async ({ params, principal }) =>
        toJob(await run(principal, (scope) => jobById(scope, params.id))),
      );
      const chunk = async ({
        params,
        body,
        principal,
      }: RouteInput<typeof importChunkCall> & By) => {
        search.defer(SEARCH_WAITS);
        const reading = await prepare(principal, params.id, body);
        // This query waits for the previous chunk on the embedded database, so it follows the work that needs no database.
        await search.waitForSpace(requireSupplier(principal));
        const { result, wrote } = await chunkTurns.runInTurn((onRows) =>
          retried(params.id, (isCareful) =>
            run(principal, (scope) =>
              takeChunk(scope, params, body, { reading, careful: isCareful, onRows }),
            ),
          ),
        );
        rowsTotal.inc(wrote);
        if (result.job.state === "done") {
          checkers.delete(params.id);
          if (wrote > 0) upkeep.after(result.job.created);
        }
        return result;
      };
      route(app, importChunkCall, deps, chunk, admit);
      route(app, importCancelCall, deps, async ({ params, principal }) => {
        const job = await run(principal, (scope) =>
          cancelJob(scope, params.id, new Date(clock.now())),
        );
        onCancelled(job);
        return toJob(job);
      });
      route(app, importRefusalsCall, deps, ({ params, query, principal }) =>
        run(principal, async (scope) => {
          await jobById(scope, params.id);
          return listRefusals(scope, params.id, query);
        }),
      );
      route(app, importInvitationsCall, deps, ({ params, query, principal }) =>
        run(principal, async (scope) => {
          await jobById(scope, params.id);
          return listInvitations(scope, params.id, config, query, new Date(clock.now()));
        }),
      );
    },
  };
}

/** The audit record of a chunk: the ids it created, and for each changed employee the old and new values. */
function changeOf(
  jobId: string,
  index: number,
  { created, changed, refusedRows }: Outcome,
): Change {
  const pairs = (side: "before" | "after") => changed.map((one) => [one.id, one[side]]);
  return {
    action: "import",
    entity: "import-chunk",
    entityId: `${jobId}/${index}`,
    ...(changed.length === 0 ? {} : { before: { changed: pairs("before") } }),
    after: {
      created: created.map(({ id }) => id),
      refused: refusedRows,
      ...(changed.length === 0 ? {} : { changed: pairs("after") }),
    },
  };
}

/** SQLSTATE of a failed query, however it was wrapped; "" when there is none. */
function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && at.code.length === 5) return at.code;
  }
  return "";
}
