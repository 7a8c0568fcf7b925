/**
 * Group commit: jobs that arrive while a batch is at work go into the next one together, and the first one goes at once. So an idle server
 * waits for nothing, and a busy one pays one statement for many jobs. First in, first out.
 */

export interface Batches<Job, Result> {
  /**
   * Resolves when the job's batch is done.
   *
   * @throws what the work threw for this job alone
   */
  add(job: Job): Promise<Result>;
  /** Resolves when all jobs that were added are settled. */
  drain(): Promise<void>;
}

/**
 * @param deps.work does a batch, whole or not at all, and answers each job in the order of the jobs. When it throws, the jobs of that batch
 *   are done one by one, so that one bad job does not fail the others
 * @param deps.limit jobs of one batch
 * @param deps.onDone called with the results of a batch after its jobs resolved. It must not throw
 */
export function createBatches<Job, Result>(deps: {
  readonly work: (jobs: readonly Job[]) => Promise<readonly Result[]>;
  readonly limit: number;
  readonly onDone?: (results: readonly Result[]) => void;
}): Batches<Job, Result> {
  interface Waiting {
    readonly job: Job;
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let running: Promise<void> | null = null;

  async function batch(some: readonly Waiting[]): Promise<void> {
    let results: readonly Result[];
    try {
      results = await deps.work(some.map(({ job }) => job));
    } catch (error) {
      if (some.length === 1) some[0]?.reject(error);
      else for (const one of some) await batch([one]);
      return;
    }
    for (const [at, { resolve }] of some.entries()) resolve(results[at] as Result);
    deps.onDone?.(results);
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) await batch(waiting.splice(0, deps.limit));
    running = null;
  }

  return {
    add(job) {
      return new Promise((resolve, reject) => {
        waiting.push({ job, resolve, reject });
        running ??= run();
      });
    },
    async drain() {
      if (running !== null) await running;
    },
  };
}
