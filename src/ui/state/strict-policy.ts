/** First of all imports: the page's policy forbids eval, which zod's compiled parsers would try when a schema is made. */
import { z } from "zod";

z.config({ jitless: true });
