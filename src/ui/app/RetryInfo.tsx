/** Shown for a path that may be a dynamic route while the menus could not be loaded. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { PlainButton } from "../components/PlainButton.tsx";
import { PlainPage } from "../features/fallback/PlainPage.tsx";
import { keepTrying } from "../state/recover.ts";
import { useCore, useOutage } from "../state/services.ts";
import { showError } from "../state/show-message.ts";

export function RetryInfo() {
  const core = useCore();
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const outage = useOutage();
  useEffect(() => {
    if (outage !== null) return undefined;
    return keepTrying(
      () => core.commands.session.loadInfo({}),
      () => undefined,
      () => core.state.session.status === "anonymous",
    );
  }, [core, outage]);
  const retry = async (): Promise<void> => {
    setBusy(true);
    try {
      await core.commands.session.loadInfo({});
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <PlainPage icon="broken" title={t("session.infoFailed")} hint="">
      <PlainButton look="primary" loading={busy} onClick={() => void retry()}>
        {t("common.retry")}
      </PlainButton>
    </PlainPage>
  );
}
