/**
 * The one `z` of everything that runs in a browser. The pages' policy forbids code made from text, and zod tries to make some when the
 * first object schema is made: the setting must stand before, in whichever chunk comes first. Node has no such policy, and there the
 * made code is faster.
 */
import { z } from "zod";

if ("location" in globalThis) z.config({ jitless: true });

export { z };
