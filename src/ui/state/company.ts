/** Switches to another company, after a confirmation and with a reload, or to another system (docs/session.md#company-switch). */
import { createElement, useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { addressOf } from "../../core-client/base-path.ts";
import { AppError } from "../../shared/errors.ts";
import type { SystemName } from "../../shared/protocol/config.ts";
import { textOf, texts } from "../i18n/texts.ts";
import { ask } from "./ask.ts";
import { hasFormDrafts } from "./form-drafts.ts";
import { dropSession, TAGS_KEY } from "../storage.ts";
import { showMessage, showError } from "./show-message.ts";
import { useCore } from "./services.ts";

const TEXTS = texts({
  drafts: [
    "有未保存的表单，内容会保留，切换回来后可继续填写。",
    "A form has unsaved input. It is kept until you switch back.",
  ],
});

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
        content: [
          t("layout.switchConfirm", { company: employee.supplierName }),
          hasFormDrafts(core.state.session) &&
            createElement("p", { key: "drafts" }, textOf(TEXTS, "drafts")),
        ],
        okText: t("common.ok"),
        cancelText: t("common.cancel"),
        onOk: async () => {
          try {
            await core.commands.session.switchCompany({ employeeId: employee.id });
            sessionStorage.removeItem("guest");
            dropSession(TAGS_KEY);
            location.assign(addressOf("/dashboard"));
          } catch (error) {
            showError(error);
          }
        },
      });
    },
    [core, t],
  );
}

/** Goes to the dashboard after the switch, unless it is shown. On a failure, reports the error and reloads the page (docs/session.md#systems). */
export function useSwitchSystem(): (systemName: SystemName) => void {
  const core = useCore();
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useCallback(
    (systemName) => {
      core.commands.session.switchSystem({ systemName }).then(
        () => {
          showMessage(
            "success",
            t("layout.systemSwitched", { system: t(`systems.${systemName}`) }),
          );
          const dashboard = addressOf("/dashboard");
          if (location.pathname !== dashboard) void navigate("/dashboard");
        },
        (error: unknown) => {
          const message = `system switch failed: ${AppError.from(error).code}`;
          core.commands.worker
            .reportError({ message })
            .catch(() => undefined)
            .finally(() => location.reload());
        },
      );
    },
    [core, navigate, t],
  );
}
