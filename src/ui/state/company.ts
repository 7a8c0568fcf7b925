/** Changing the company: asked first, then the dashboard is loaded again; and changing the system (docs/session.md#company-switch). */
import { Modal } from "@arco-design/web-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { AppError } from "../../shared/errors.ts";
import type { SystemName } from "../../shared/protocol/config.ts";
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
      Modal.confirm({
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

/** Goes to the dashboard unless it is shown already; on a failure the error is logged and the page reloads (docs/session.md#systems). */
export function useSwitchSystem(): (systemName: SystemName) => void {
  const core = useCore();
  const navigate = useNavigate();
  return useCallback(
    (systemName) => {
      core.commands.session.switchSystem({ systemName }).then(
        () => void navigate("/dashboard"),
        (error: unknown) => {
          const message = `switch of the system: ${AppError.from(error).code}`;
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
