/**
 * The wait of tests in Node for any condition, ms. A busy machine was seen to take many times as long as a quiet one. The wait costs
 * time only where a test fails. `expect.poll` has it by default (vitest.config.ts); `vi.waitFor` takes it as its second argument.
 */
export const PATIENCE = 30_000;
