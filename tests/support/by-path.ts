import { BaseSequencer, type TestSpecification } from "vitest/node";

const byPath = (files: readonly TestSpecification[]): TestSpecification[] =>
  files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1));

/**
 * Orders and deals the files by their paths. By default vitest orders them by the times of the last run, so that a fresh clone would run
 * them in another order, with other files beside them in a process.
 */
export class ByPath extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return byPath(files);
  }

  /** Deals neighbours to different shards, because the slow tests of a folder are often alike. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shard } = this.ctx.config;
    if (shard === undefined) return files;
    return byPath(files).filter((_, at) => at % shard.count === shard.index - 1);
  }
}
