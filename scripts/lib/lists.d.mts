export interface ListedTest {
  readonly file: string;
  readonly title: string;
}
export interface QuarantinedTest extends ListedTest {
  readonly reason: string;
  readonly measured: string;
}
export function linesOfList(name: "heavy" | "quarantine" | "smoke"): string[];
export function smokeTests(): ListedTest[];
export function quarantinedTests(): QuarantinedTest[];
