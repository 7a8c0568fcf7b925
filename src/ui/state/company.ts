/** Switches to another company, after a confirmation and with a reload, or to another system (docs/session.md#company-switch). */
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { AppError } from "../../shared/errors.ts";
import type { SystemName } from "../../shared/protocol/config.ts";
import { ask } from "./ask.ts";
import { dropSession } from "./storage.ts";
import { TAGS_KEY } from "./tags.ts";
import { tellError } from "./tell.ts";
import { useCore } from "./services.ts";

export function useSwitchCompany(): (employee: {
  readonly id: string;
  readonly supplierName: string;
}) => void {
  const core = useCore();
  const { t } = useTranslation();
  return useCallback(
    (employee) => {
      ask({
        title: t("common.hint"),
        content: t("layout.switchConfirm", { company: employee.supplierName }),
        okText: t("common.ok"),
        cancelText: t("common.cancel"),
        onOk: async () => {
          try {
            await core.commands.session.switchCompany({ employeeId: employee.id });
            sessionStorage.removeItem("guest");
            dropSession(TAGS_KEY);
            location.assign("/dashboard");
          } catch (error) {
            tellError(error);
          }
        },
      });
    },
    [core, t],
  );
}

/** Goes to the dashboard after the switch. On a failure, reports the error and reloads the page (docs/session.md#systems). */
export function useSwitchSystem(): (systemName: SystemName) => void {
  const core = useCore();
  const navigate = useNavigate();
  return useCallback(
    (systemName) => {
      core.commands.session.switchSystem({ systemName }).then(
        () => void navigate("/dashboard"),
        (error: unknown) => {
          const message = `system switch failed: ${AppError.from(error).code}`;
          core.commands.worker
            .reportError({ message })
            .catch(() => undefined)
            .finally(() => location.reload());
        },
      );
    },
    [core, navigate],
  );
}
