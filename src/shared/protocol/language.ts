import { z } from "../zod.ts";

/** Language of a page, such as "zh-CN", as it stands in a header. */
export const languageSchema = z.string().regex(/^[A-Za-z\d-]{2,35}$/);
