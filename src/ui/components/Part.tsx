/**
 * A part of a page or of the frame that is loaded when it is shown first. Without its code, or after an error in it, the
 * page around it stays as it is: a progress in the header must not cost what the person has typed (docs/shell.md#a-missing-script).
 */
import { Suspense, useContext, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { AppError } from "../../shared/errors.ts";
import { errorText } from "../i18n/index.ts";
import { ServicesContext } from "../state/services.ts";
import { showMessage } from "../state/show-message.ts";
import { Boundary, type Failure } from "./Boundary.tsx";

export function Part(props: {
  readonly children: ReactNode;
  /** Stands there until the code has come, and for good when it does not come. */
  readonly fallback?: ReactNode;
  /** Closes what the person has opened. A message says why; parts that come by themselves have none. */
  readonly onFailed?: () => void;
}) {
  const { children, fallback = null, onFailed } = props;
  const { t } = useTranslation();
  const services = useContext(ServicesContext);
  const closeAndSay = ({ stale }: Failure): void => {
    if (onFailed === undefined) return;
    const newerBuild = services?.core.connection.newerBuild ?? null;
    const replaced = stale && newerBuild !== null;
    showMessage("error", replaced ? errorText(new AppError("code.replaced")) : t("pages.crashed"));
    onFailed();
  };
  return (
    <Boundary instead={() => fallback} onFailure={closeAndSay}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  );
}
