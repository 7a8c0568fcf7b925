/**
 * The `z` that all code in browsers imports. The pages' content security policy forbids `eval`, and zod tries to compile a parser
 * with it at the first object schema, so `jitless` must be set before that, in whichever chunk loads first. Node has no such
 * policy, and compiled parsers are faster there.
 */
import { z } from "zod";

if ("location" in globalThis) z.config({ jitless: true });

export { z };
