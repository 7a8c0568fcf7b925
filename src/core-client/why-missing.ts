/** The error of a script that could not be loaded (docs/shell.md#a-missing-script). The login does without this file. */
import { AppError, type ErrorCode } from "../shared/errors.ts";
import type { Deployed } from "./contracts.ts";

const REASONS: Readonly<Partial<Record<Deployed, ErrorCode>>> = {
  other: "code.replaced",
  unreachable: "server.unreachable",
};

/** @param otherwise the error when the server has this tab's build, so that neither reason explains the failure */
export async function whyMissing(
  look: () => Promise<Deployed>,
  otherwise: AppError,
): Promise<AppError> {
  const code = REASONS[await look()];
  return code === undefined ? otherwise : new AppError(code);
}
