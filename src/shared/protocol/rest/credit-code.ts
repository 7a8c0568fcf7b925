/** The unified social credit code as every call takes it (docs/session.md#credit-code). */
import { CREDIT_CODE_TEXTS, creditCodeFault, normalCreditCode } from "../../domain/credit-code.ts";
import { z } from "../../zod.ts";
import { hasNoNul, NUL_MESSAGE } from "./call.ts";

/** Characters of an input: a code may be written with blanks. */
export const CREDIT_CODE_INPUT = 40;

/** A right code, written in any way that people write it; empty for none. What follows gets it in its normal form. */
export const creditCodeSchema = z
  .string()
  .max(CREDIT_CODE_INPUT)
  .refine(hasNoNul, NUL_MESSAGE)
  .overwrite(normalCreditCode)
  .superRefine((code, context) => {
    const fault = code === "" ? null : creditCodeFault(code);
    if (fault !== null) context.addIssue({ code: "custom", message: CREDIT_CODE_TEXTS[fault][0] });
  });
