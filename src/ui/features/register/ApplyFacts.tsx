/** What an application says, with its licence picture, for the platform's people who decide about it. */
import { Button } from "@arco-design/web-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { REGISTER_TEXTS } from "./texts.ts";
import "./register.css";

export function ApplyFacts({ apply }: { readonly apply: Row<"registration.companyApplies"> }) {
  const text = useTexts(REGISTER_TEXTS);
  const facts = [
    ["company", apply.supplierName],
    ["creditCode", apply.creditCode ?? text("notGiven")],
    ["contact", apply.contact],
    ["mobile", apply.mobile],
  ] as const;
  return (
    <dl className="apply-facts">
      {facts.map(([key, value]) => (
        <div key={key}>
          <dt>{text(key)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div>
        <dt>{text("licence")}</dt>
        <dd>{apply.hasLicence ? <LicencePicture applyId={apply.id} /> : text("notGiven")}</dd>
      </div>
    </dl>
  );
}

/** The core reads it, since it needs a token. */
function LicencePicture({ applyId }: { readonly applyId: string }) {
  const { t } = useTranslation();
  const text = useTexts(REGISTER_TEXTS);
  const core = useCore();
  const [address, setAddress] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let made: string | null = null;
    let over = false;
    core.commands.files.readLicence({ applyId }).then(
      (blob) => {
        if (over) return;
        made = URL.createObjectURL(blob);
        setAddress(made);
      },
      (error: unknown) => {
        if (!over) setFailure(errorText(error));
      },
    );
    return () => {
      over = true;
      if (made !== null) URL.revokeObjectURL(made);
      setAddress(null);
      setFailure(null);
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- an attempt reads again
  }, [core, applyId, attempt]);
  if (failure !== null) {
    return (
      <div role="alert">
        {failure} <Button onClick={() => setAttempt((n) => n + 1)}>{t("common.retry")}</Button>
      </div>
    );
  }
  if (address === null) return <span role="status">{t("common.loading")}</span>;
  return <img className="apply-licence" src={address} alt={text("licence")} />;
}
