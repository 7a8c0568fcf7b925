/** Notices of the core as messages of the visible tab; an expired login asks first (console spec §8). */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Notice } from "../../shared/protocol/state.ts";
import { noticeText } from "../i18n/index.ts";
import { tell } from "../state/tell.ts";
import { useCore } from "../state/services.ts";

export function Notices() {
  const core = useCore();
  const { t } = useTranslation();
  useEffect(() => {
    let asking = false;
    const ask = async (): Promise<void> => {
      if (asking) return;
      asking = true;
      const { default: Modal } = await import("@arco-design/web-react/es/Modal");
      Modal.confirm({
        title: t("session.expiredTitle"),
        content: t("session.expired"),
        okText: t("session.again"),
        cancelText: t("common.cancel"),
        onOk: async () => {
          await core.commands.session.logout({}).catch(() => undefined);
          location.reload();
        },
        afterClose: () => (asking = false),
      });
    };
    const show = (notice: Notice): void => {
      if (document.visibilityState !== "visible") return;
      const expired = notice.code === "auth.expired" || notice.code === "auth.required";
      if (expired && core.state.session.status === "authenticated") {
        void ask();
        return;
      }
      tell(notice.style, noticeText(notice), notice.duration);
    };
    return core.onNotice(show);
  }, [core, t]);
  return null;
}
