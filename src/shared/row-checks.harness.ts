/** Tests that prove rows of a catalogue of rules. A catalogue is bound to them by their type, so neither exists without the other. */
import { it } from "vitest";

type Check = () => void | Promise<void>;

/** The ids of `a.one, b.two: what holds`. */
export type RowsOf<Title> = Title extends `${infer Ids}: ${string}` ? Each<Ids> : never;
type Each<Ids extends string> = Ids extends `${infer One}, ${infer Rest}` ? One | Each<Rest> : Ids;

/**
 * Makes a test of each function, under its title.
 *
 * @param checks by title: the ids of the rows that the function proves, then what holds
 * @returns the same functions, so that a file can export them and a catalogue can be bound to them
 */
export function rowChecks<Checks extends Readonly<Record<string, Check>>>(checks: Checks): Checks {
  for (const [title, check] of Object.entries(checks)) it(title, check);
  return checks;
}
